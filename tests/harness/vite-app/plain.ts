// A page without XState, for the tests of the Vite plugin.
document.body.append('plain')
