// How the workbench is built and served in development.
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { embeddedBackend, hideDataFolders } from './backend/vite-plugin.ts'
import { firstLoad } from './scripts/deploy/first-load.ts'
import { staticSite } from './scripts/deploy/plugin.ts'

export default defineConfig({
  // The app speaks English; react-aria would bring its words for thirty languages along.
  plugins: [
    optimizeLocales.vite({ locales: ['en-US'] }),
    react(),
    firstLoad(),
    staticSite(),
    hideDataFolders(),
    embeddedBackend({ port: 4410, data: { dir: '.chartroom' } }),
  ],
  // Of rxjs, the classes as they are written.
  resolve: { conditions: ['es2015', ...defaultClientConditions] },
  // So that a worker loads what it seldom needs when it needs it.
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    target: 'es2023',
    // Browsers that know this language know preloads.
    modulePreload: { polyfill: false },
    // The app, and the console as a page of its own.
    rolldownOptions: { input: ['index.html', 'console.html'] },
    // One sheet of a few kB: a sheet of its own that once failed to load would not be asked for again.
    cssCodeSplit: false,
  },
})
