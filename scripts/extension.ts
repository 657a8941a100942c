// `npm run build:extension`: builds the browser extension into dist-extension, which Chromium loads unpacked.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import { buildForProduction } from './package-console.ts'
import { root } from './tool.ts'

const source = join(root, 'src/extension')

const shared: InlineConfig = {
  configFile: false,
  root: source,
  logLevel: 'error',
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
}

/** Builds into `out`, which is emptied first. */
export async function buildExtension(out = join(root, 'dist-extension')): Promise<void> {
  await buildForProduction({
    ...shared,
    base: './',
    plugins: [optimizeLocales.vite({ locales: ['en-US'] }), react()],
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      cssCodeSplit: false,
      rolldownOptions: { input: ['devtools.html', 'panel.html'].map(page => join(source, page)) },
    },
    worker: { format: 'es' },
  })
  // The inspected page runs it as one script.
  await buildForProduction({
    ...shared,
    build: {
      outDir: out,
      emptyOutDir: false,
      target: 'es2022',
      lib: { entry: join(source, 'hook.ts'), formats: ['iife'], name: 'hook', fileName: () => 'hook.js' },
    },
  })
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const manifest = JSON.parse(await readFile(join(source, 'manifest.json'), 'utf8')) as object
  await writeFile(join(out, 'manifest.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildExtension()
  console.log(
    'Built dist-extension. In chrome://extensions, turn on Developer mode and choose “Load unpacked”.',
  )
}
