// Measures what an app downloads of the built package: minified, gzipped, without the libraries that it stands on.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

export interface PackageSize {
  /** Bytes that are there from the start: the entry and what it imports. */
  readonly initial: number
  /** Bytes that are loaded on first use, by the name of the module that is asked for. */
  readonly onDemand: Readonly<Record<string, number>>
}

/** Largest number of bytes that an app which makes a client may download of the package from the start. */
export const BUDGETS: Readonly<Record<string, number>> = {
  index: 30_000,
}

/** What an app takes of an entry; all of it unless told. */
const TAKEN: Readonly<Record<string, string>> = { index: '{ createChartroomClient as taken }' }

const APP = 'virtual:app'

/** The size of one entry of the package that was built into `dir`, in an app that uses it. */
export async function measure(dir: string, entry: string): Promise<PackageSize> {
  const app = `import ${TAKEN[entry] ?? '* as taken'} from ${JSON.stringify(join(dir, `${entry}.js`))}
    globalThis.taken = taken`
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: dir,
    plugins: [
      { name: 'app', resolveId: id => (id === APP ? id : null), load: id => (id === APP ? app : null) },
    ],
    build: {
      // Without the helper that Vite puts around what pages load later.
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
  const chunks = outputOf(result).filter(chunk => chunk.type === 'chunk')
  const byFile = new Map(chunks.map(chunk => [chunk.fileName, chunk]))
  const initial = closure(byFile, chunks.find(chunk => chunk.isEntry)?.fileName ?? '')
  const later = chunks.filter(chunk => !initial.has(chunk.fileName))
  return {
    initial: sum([...initial].map(name => byFile.get(name)?.code ?? '')),
    onDemand: Object.fromEntries(later.map(chunk => [chunk.name, sum([chunk.code])])),
  }
}

function outputOf(result: Awaited<ReturnType<typeof build>>): Rolldown.RolldownOutput['output'][number][] {
  const [first] = Array.isArray(result) ? result : [result]
  if (!first || !('output' in first)) throw new Error('Nothing was bundled.')
  return [...first.output]
}

/** A chunk and all that it imports at once. */
function closure(chunks: ReadonlyMap<string, Rolldown.OutputChunk>, name: string, seen = new Set<string>()) {
  const chunk = chunks.get(name)
  if (!chunk || seen.has(name)) return seen
  seen.add(name)
  for (const other of chunk.imports) closure(chunks, other, seen)
  return seen
}

/** Chunks travel one by one, and are packed so. */
function sum(codes: readonly string[]): number {
  return codes.reduce((total, code) => total + gzipSync(code, { level: 9 }).length, 0)
}
