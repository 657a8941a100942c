// `npm run screenshots`: takes the screenshots of the guide, the product and the tour.
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startHarbour } from './harbour.ts'
import { captureHarbour } from './screenshots/harbour.ts'
import { openStudio } from './screenshots/studio.ts'
import { captureMended, captureTour } from './screenshots/tour.ts'
import { captureWorkbench } from './screenshots/workbench.ts'
import { root } from './tool.ts'
import { startTour } from './tour-server.ts'

/** Names of pictures without extension; defaults to all. All scenes always run. */
const studio = await openStudio(process.argv.slice(2))
try {
  const harbour = await startHarbour({ port: 0, data: 'memory' })
  try {
    await captureHarbour(studio, harbour)
    await captureWorkbench(studio, harbour)
  } finally {
    await harbour.stop()
  }
  await withTour(undefined, url => captureTour(studio, url))
  const mended = await mendedCopy()
  await withTour(mended, url => captureMended(studio, url))
  await rm(mended, { recursive: true })
} finally {
  await studio.close()
}
for (const problem of studio.problems) console.error(problem)
if (studio.problems.length > 0) process.exitCode = 1

async function withTour(folder: string | undefined, capture: (url: string) => Promise<void>): Promise<void> {
  const tour = await startTour({ port: 0, ...(folder !== undefined && { folder }) })
  try {
    await capture(tour.url)
  } finally {
    await tour.stop()
  }
}

/** A copy of the tour's example with the fix from the guide. */
async function mendedCopy(): Promise<string> {
  const folder = join(root, '.tour/pictures')
  await cp(join(root, 'examples/tour'), folder, { recursive: true })
  const guide = await readFile(join(root, 'docs/guide/tour.md'), 'utf8')
  const [wrong = '', right = ''] = [...guide.matchAll(/^```ts\n(.*)\n```$/gm)].map(([, line = '']) => line)
  const file = join(folder, 'session.ts')
  await writeFile(file, (await readFile(file, 'utf8')).replace(wrong, right))
  return folder
}
