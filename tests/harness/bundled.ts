// Vite's build of an entry that a test page loads, kept in memory.
import { build, type BuildOptions, type Rolldown } from 'vite'

type Part = Rolldown.OutputChunk | Rolldown.OutputAsset

/** The parts of an unminified bundle; `entry` names what to include. */
export async function bundled(entry: Pick<BuildOptions, 'lib' | 'rollupOptions'>): Promise<readonly Part[]> {
  const { NODE_ENV } = process.env
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, ...entry },
  })
  // A build sets the process to "production" for everything that follows.
  process.env['NODE_ENV'] = NODE_ENV
  return (Array.isArray(built) ? built : [built]).flatMap(one => ('output' in one ? one.output : []))
}
