// Measures what an app downloads from the built package: minified and gzipped, without dependencies.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type InlineConfig, type Rolldown } from 'vite'

export interface PackageSize {
  /** Bytes loaded initially: the entry and its imports. */
  readonly initial: number
  /** Bytes loaded on first use, by the name of the dynamically imported module. */
  readonly onDemand: Readonly<Record<string, number>>
}

/** Maximum bytes that an app that creates a client may initially download from the package. */
export const BUDGETS: Readonly<Record<string, number>> = {
  // 30,000 before the options of `createClient` were checked and `accessToken` and `autoRefreshToken` added:
  // their code is about 2,000 bytes. A chunk shared with lazy code costs the rest, by compressing worse. 33,500 before
  // the machine of the API key.
  'public/index': 35_400,
}

/** What an app imports from an entry; defaults to everything. */
const TAKEN: Readonly<Record<string, string>> = { 'public/index': '{ createChartroomClient as taken }' }

const APP = 'virtual:app'

/** Measures one entry of the package built into `dir`, in an app that uses it. */
export async function measure(dir: string, entry: string): Promise<PackageSize> {
  const app = `import ${TAKEN[entry] ?? '* as taken'} from ${JSON.stringify(join(dir, `${entry}.js`))}
    globalThis.taken = taken`
  const chunks = await chunksOf({
    configFile: false,
    logLevel: 'error',
    root: dir,
    plugins: [
      { name: 'app', resolveId: id => (id === APP ? id : null), load: id => (id === APP ? app : null) },
    ],
    build: {
      // Avoids Vite's helper for lazy-loaded modules.
      ssr: true,
      write: false,
      minify: true,
      target: 'es2023',
      rollupOptions: {
        input: APP,
        preserveEntrySignatures: false,
        external: id => /^[@\w]/.test(id) && id !== APP && !id.startsWith(dir),
      },
    },
  })
  const byFile = new Map(chunks.map(chunk => [chunk.fileName, chunk]))
  const initial = closure(byFile, chunks.find(chunk => chunk.isEntry)?.fileName ?? '')
  const later = chunks.filter(chunk => !initial.has(chunk.fileName))
  return {
    initial: sum([...initial].map(name => byFile.get(name)?.code ?? '')),
    onDemand: Object.fromEntries(later.map(chunk => [chunk.name, sum([chunk.code])])),
  }
}

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
