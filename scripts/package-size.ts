// Measures what an app downloads from the built packages: minified and gzipped, without dependencies.
import { gzipSync } from 'node:zlib'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'

export interface PackageSize {
  /** Bytes loaded initially: the entry and its imports. */
  readonly initial: number
  /** Bytes loaded on first use, by the name of the dynamically imported module. */
  readonly onDemand: Readonly<Record<string, number>>
}

/** Maximum bytes of our own that an app may initially download for what it imports: the statement, and its limit. */
export const BUDGETS: Readonly<Record<string, number>> = {
  "import { createChartroomClient as taken } from 'chartroom'": 40_000,
  "import { describeFailure as taken } from 'chartroom'": 4_000,
  "import { record as taken } from '@chartroom/devtools/recording'": 40_000,
}

const APP = 'virtual:app'

/** Measures what an app downloads of the packages built into `dir` for an import of `taken`, without libraries. */
export async function measure(dir: string, statement: string): Promise<PackageSize> {
  const app = `${statement}\nglobalThis.taken = taken`
  const chunks = await chunksOf({
    configFile: false,
    logLevel: 'error',
    root: dir,
    plugins: [appPlugin(app)],
    build: {
      // Avoids Vite's helper for lazy-loaded modules.
      ssr: true,
      write: false,
      minify: true,
      target: 'es2023',
      rollupOptions: {
        input: APP,
        preserveEntrySignatures: false,
        external: id => /^[@\w]/.test(id) && id !== APP && !/^(?:@chartroom\/|chartroom(?:\/|$))/.test(id),
      },
    },
    // The packages are parts of the app here.
    ssr: { noExternal: [/^chartroom/, /^@chartroom\//] },
  })
  const byFile = new Map(chunks.map(chunk => [chunk.fileName, chunk]))
  const initial = closure(byFile, chunks.find(chunk => chunk.isEntry)?.fileName ?? '')
  const later = chunks.filter(chunk => !initial.has(chunk.fileName))
  return {
    initial: sum([...initial].map(name => byFile.get(name)?.code ?? '')),
    onDemand: Object.fromEntries(later.map(chunk => [chunk.name, sum([chunk.code])])),
  }
}

/** An app whose only module has this code, as if it were in the root. */
export const appPlugin = (code: string): Plugin => ({
  name: 'app',
  resolveId: id => (id === APP ? id : null),
  load: id => (id === APP ? code : null),
})

/** Bundles in memory. */
export async function chunksOf(config: InlineConfig): Promise<Rolldown.OutputChunk[]> {
  const { NODE_ENV } = process.env
  // In a test it is "test", and the bundle would have the code that only development needs.
  process.env['NODE_ENV'] = 'production'
  const result = await build(config).finally(() => {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = NODE_ENV
  })
  const [first] = Array.isArray(result) ? result : [result]
  if (!first || !('output' in first)) throw new Error('Nothing was bundled.')
  return first.output.filter(chunk => chunk.type === 'chunk')
}

/** The names of a chunk and all its static imports. */
export function closure(
  chunks: ReadonlyMap<string, Rolldown.OutputChunk>,
  name: string,
  seen = new Set<string>(),
) {
  const chunk = chunks.get(name)
  if (!chunk || seen.has(name)) return seen
  seen.add(name)
  for (const other of chunk.imports) closure(chunks, other, seen)
  return seen
}

/** Chunks are downloaded separately, so each is compressed separately. */
function sum(codes: readonly string[]): number {
  return codes.reduce((total, code) => total + gzipSync(code, { level: 9 }).length, 0)
}
