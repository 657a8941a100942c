// The parts of the documentation site that are no pages: the console as static files, its recordings and the icon.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { build, defaultClientConditions } from 'vite'
import { fingerprint } from '../../../scripts/fingerprint.ts'
import { root } from '../../../scripts/tool.ts'
import { outageTrace } from './outage-trace.ts'

/** VitePress copies this folder into the site, and serves it to authors. */
const PUBLIC = join(root, 'node_modules/.cache/docs-site-public')
const STAMP = join(root, 'node_modules/.cache/chartroom/docs-console')

const CONSOLE = join(root, 'evidence/site/.vitepress/console')
const CONSOLE_INPUTS = [
  'evidence/site/.vitepress/console/**',
  'examples/tour/*',
  'package-lock.json',
  'src/**',
]

/** Makes the files, except for a console that is already built from these sources. */
export async function makePublicFiles(): Promise<void> {
  await mkdir(join(PUBLIC, 'traces'), { recursive: true })
  await writeFile(join(PUBLIC, 'traces/token-expires-offline.trace.gz'), await outageTrace())
  await cp(join(root, 'examples/tour/signed-out.trace.gz'), join(PUBLIC, 'traces/signed-out.trace.gz'))
  await cp(join(root, 'public/favicon.svg'), join(PUBLIC, 'favicon.svg'))
  const sources = await fingerprint(CONSOLE_INPUTS)
  if (sources === (await readFile(STAMP, 'utf8').catch(() => ''))) return
  await rm(STAMP, { force: true })
  await buildConsole()
  await mkdir(join(STAMP, '..'), { recursive: true })
  await writeFile(STAMP, sources)
}

/** With relative addresses, so that it works under any base path. */
async function buildConsole(): Promise<void> {
  await build({
    configFile: false,
    root: CONSOLE,
    base: './',
    publicDir: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [optimizeLocales.vite({ locales: ['en-US'] }), react()],
    resolve: {
      // Selects the modern build of rxjs.
      conditions: ['es2015', ...defaultClientConditions],
    },
    worker: { format: 'es' },
    build: {
      outDir: join(PUBLIC, 'console'),
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      cssCodeSplit: false,
      chunkSizeWarningLimit: 2_000,
    },
  })
}
