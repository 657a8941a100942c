// Builds the workbench and serves it in development.
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { embeddedBackend, hideDataFolders } from './backend/vite-plugin.ts'
import { firstLoad } from './scripts/deploy/first-load.ts'
import { staticSite } from './scripts/deploy/plugin.ts'

export default defineConfig({
  // The app is in English only; react-aria would bundle thirty languages.
  plugins: [
    optimizeLocales.vite({ locales: ['en-US'] }),
    react(),
    firstLoad(),
    staticSite(),
    hideDataFolders(),
    embeddedBackend({ port: 4410, data: { dir: '.chartroom' } }),
  ],
  resolve: {
    // Selects the modern build of rxjs.
    conditions: ['es2015', ...defaultClientConditions],
    // Libraries bring a substitute for a hook that React has had since 18.
    alias: [
      { find: /^use-sync-external-store\/shim(?:\/index\.js)?/, replacement: 'use-sync-external-store' },
    ],
  },
  // Lets a worker load rarely used modules on demand.
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    target: 'es2023',
    // Browsers that support the build target also support module preload.
    modulePreload: { polyfill: false },
    // The app, and the standalone console page.
    rolldownOptions: { input: ['index.html', 'console.html'] },
    // One style sheet of a few kB: a separate sheet that failed to load would not be requested again.
    cssCodeSplit: false,
  },
})
