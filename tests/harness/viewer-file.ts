// The viewer, built once from the present sources, and recordings in it as files that a page can open.
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fingerprint } from '../../scripts/fingerprint.ts'
import { root, runTool } from '../../scripts/tool.ts'
import { VIEWER } from '../../scripts/viewer-build.ts'
import { viewerPage } from '../../src/cli/viewer.ts'
import type { ReplayableTrace } from '../../src/trace/format/trace-source.ts'

const folder = join(root, 'node_modules/.cache/chartroom/viewer')
const STAMP = join(folder, 'sources')
const INPUTS = ['src/**', 'scripts/viewer-build.ts', 'scripts/package-program.ts', 'package-lock.json']

/** The built viewer without a recording. */
const VIEWER_FILE = join(folder, VIEWER)

/**
 * Builds the viewer if it is stale, as `npm run build:package` does, outside of the environment of tests.
 * @throws Error with the output of the build if it fails
 */
export async function ensureViewer(): Promise<void> {
  const sources = await fingerprint(INPUTS)
  const isBuilt = await access(VIEWER_FILE).then(
    () => true,
    () => false,
  )
  if (isBuilt && (await readFile(STAMP, 'utf8').catch(() => '')) === sources) return
  await mkdir(folder, { recursive: true })
  await rm(STAMP, { force: true })
  const code = `import { buildViewer } from './scripts/viewer-build.ts'; await buildViewer(process.argv[1])`
  const { output, code: exit } = await runTool('node', ['--input-type=module', '-e', code, folder], {
    env: { NODE_ENV: 'production' },
  })
  if (exit !== 0) throw new Error(`The viewer could not be built:\n${output}`)
  await writeFile(STAMP, sources)
}

/**
 * Puts a recording into the viewer, and returns the address of that page.
 * @param page a name that no other test uses, as they run at the same time
 */
export async function viewerWith(
  trace: ReplayableTrace,
  page: string,
  name = `${page}.trace.gz`,
): Promise<string> {
  const html = await viewerPage(trace, name, VIEWER_FILE)
  const file = join(folder, `${page}.html`)
  const written = `${file}.${process.pid}`
  await writeFile(written, html)
  await rename(written, file)
  return pathToFileURL(file).href
}
