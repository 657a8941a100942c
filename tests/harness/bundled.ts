// What Vite makes of an entry that a page of a test loads, kept in memory.
import { build, type BuildOptions, type Rolldown } from 'vite'

type Part = Rolldown.OutputChunk | Rolldown.OutputAsset

/** The parts of a bundle that is not minified; `entry` names what goes in. */
export async function bundled(entry: Pick<BuildOptions, 'lib' | 'rollupOptions'>): Promise<readonly Part[]> {
  const { NODE_ENV } = process.env
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, ...entry },
  })
  // A build says "production" to all that its process does afterwards.
  process.env['NODE_ENV'] = NODE_ENV
  return (Array.isArray(built) ? built : [built]).flatMap(one => ('output' in one ? one.output : []))
}
