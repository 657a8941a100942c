// Measures everything that an app downloads for a client: the package and its libraries, as Vite bundles them.
import { gzipSync } from 'node:zlib'
import type { Rolldown } from 'vite'
import { appPlugin, chunksOf, closure } from './package-size.ts'

export interface TotalSize {
  /** Bytes loaded initially, minified and gzipped. */
  readonly initial: number
  /** Bytes that load on first use. */
  readonly lazy: number
  /** The initial bytes by package; each has the share of its minified code. */
  readonly byPackage: Readonly<Record<string, number>>
}

interface Case {
  /** The app's code. */
  readonly code: string
  /** The most bytes that it may load initially. */
  readonly budget?: number
}

/** The measured apps. Budgets only go down. */
export const TOTALS: Readonly<Record<string, Case>> = {
  'supabase-js alone': {
    code: `import { createClient } from '@supabase/supabase-js'
      globalThis.client = createClient('http://localhost', 'k')`,
  },
  createChartroomClient: {
    code: `import { createChartroomClient } from 'chartroom'
      globalThis.client = createChartroomClient({ url: 'http://localhost', key: 'k' })`,
    budget: 76_000,
  },
  'with the recorder': {
    code: `import { createChartroomClient } from 'chartroom'
      import { recordEverything } from '@chartroom/devtools/recording'
      const recording = recordEverything()
      globalThis.client = createChartroomClient({ url: 'http://localhost', key: 'k', recording })`,
    budget: 128_500,
  },
}

const APP = 'virtual:app'

/** Measures an app of `TOTALS` with the packages built into `dir`. */
export async function measureTotal(dir: string, name: string): Promise<TotalSize> {
  const code = TOTALS[name]?.code
  if (code === undefined) throw new Error(`Unknown app: ${name}`)
  const chunks = await chunksOf({
    configFile: false,
    logLevel: 'error',
    root: dir,
    plugins: [appPlugin(code)],
    build: {
      write: false,
      minify: true,
      target: 'es2023',
      modulePreload: false,
      rollupOptions: { input: APP },
    },
  })
  const byFile = new Map(chunks.map(chunk => [chunk.fileName, chunk]))
  const initial = closure(byFile, chunks.find(chunk => chunk.isEntry)?.fileName ?? '')
  const first = chunks.filter(chunk => initial.has(chunk.fileName))
  const later = chunks.filter(chunk => !initial.has(chunk.fileName))
  return { initial: bytesOf(first), lazy: bytesOf(later), byPackage: shares(first) }
}

const bytesOf = (chunks: readonly Rolldown.OutputChunk[]) =>
  chunks.reduce((total, { code }) => total + gzipSync(code, { level: 9 }).length, 0)

/** Splits the bytes of each chunk by the length of its modules. */
function shares(chunks: readonly Rolldown.OutputChunk[]): Record<string, number> {
  const found: Record<string, number> = {}
  for (const chunk of chunks) {
    const modules = Object.entries(chunk.modules)
    const whole = modules.reduce((total, [, { renderedLength }]) => total + renderedLength, 0)
    for (const [id, { renderedLength }] of modules) {
      const name = packageOf(id)
      found[name] = (found[name] ?? 0) + Math.round((bytesOf([chunk]) * renderedLength) / Math.max(whole, 1))
    }
  }
  return Object.fromEntries(Object.entries(found).sort(([, a], [, b]) => b - a))
}

/** Modules of the built packages are outside of node_modules, or in its cache. */
function packageOf(id: string): string {
  const path = id.split(/[\\/]node_modules[\\/](?!\.cache)/)[1]
  if (path !== undefined) return /^(@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0] ?? id
  if (!id.endsWith('.js')) return 'the app and its bundler'
  return id.includes('chartroom-devtools') ? '@chartroom/devtools' : 'chartroom'
}
