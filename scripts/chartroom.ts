// `npm run chartroom`: the command line from the sources, and for `serve` the page, built if it is not.
if (process.argv[2] === 'serve') {
  const { ensureApp } = await import('./app-build.ts')
  await ensureApp()
}
await import('../src/cli/main.ts')
