// How the workbench is built and served in development.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { embeddedBackend } from './backend/vite-plugin.ts'

export default defineConfig({
  plugins: [react(), embeddedBackend({ port: 4410, data: { dir: '.chartroom' } })],
  build: { outDir: 'dist', target: 'es2023' },
})
