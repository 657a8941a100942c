// How the workbench is built and served in development.
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { embeddedBackend } from './backend/vite-plugin.ts'
import { staticSite } from './scripts/deploy/plugin.ts'

export default defineConfig({
  // The app speaks English; react-aria would bring its words for thirty languages along.
  plugins: [
    optimizeLocales.vite({ locales: ['en-US'] }),
    react(),
    staticSite(),
    embeddedBackend({ port: 4410, data: { dir: '.chartroom' } }),
  ],
  // So that a worker loads what it seldom needs when it needs it.
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    target: 'es2023',
    // The app, and the console as a page of its own.
    rollupOptions: { input: ['index.html', 'console.html'] },
    // One sheet of a few kB: a sheet of its own that once failed to load would not be asked for again.
    cssCodeSplit: false,
  },
})
