// A recording as one HTML file: the console with the recording in it, which opens without a server.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodeFile, type ReplayableTrace } from '../public/devtools/replay.ts'
import { xmlText } from '../trace/index.ts'

/**
 * Puts a trace into the viewer.
 * @param file its name, or `-`
 * @param viewer the built viewer, if it is not at its usual place
 * @throws Error with the fix, if the viewer is not built
 */
export async function viewerPage(trace: ReplayableTrace, file: string, viewer?: string): Promise<string> {
  const name = file === '-' ? 'trace.gz' : basename(file)
  const data = Buffer.from(await encodeFile(trace)).toString('base64')
  const parts = { title: `${xmlText(name)} – Chartroom`, name: attribute(name), trace: data }
  return (await template(viewer)).replaceAll(
    /\{\{(title|name|trace)\}\}/g,
    (_, part: keyof typeof parts) => parts[part],
  )
}

const attribute = (text: string) => xmlText(text).replaceAll('"', '&quot;')

/** Next to the command line in the package; in the repository, the last build of the package. */
const PLACES = ['../viewer.html', '../../dist-packages/chartroom-devtools/viewer.html'].map(place =>
  fileURLToPath(new URL(place, import.meta.url)),
)

async function template(viewer: string | undefined): Promise<string> {
  for (const place of viewer === undefined ? PLACES : [viewer]) {
    const text = await readFile(place, 'utf8').catch(() => undefined)
    if (text !== undefined) return text
  }
  throw new Error('The viewer is not built. Run `npm run -s build:package` in this repository.')
}
