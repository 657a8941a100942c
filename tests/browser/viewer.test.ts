// The viewer in a real browser: one file opened from disk, which shows, checks and lays out a recording offline.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { createMachine } from 'xstate'
import { VIEWER } from '../../scripts/viewer-build.ts'
import { root, runTool } from '../../scripts/tool.ts'
import { viewerPage } from '../../src/cli/viewer.ts'
import { type ReplayableTrace, readTrace, record } from '../../src/public/replay.ts'
import { axeInThemes } from '../harness/axe.ts'
import { withBrowser } from '../harness/browser.ts'
import { watchPage } from '../harness/page-watch.ts'

const test = withBrowser

const folder = mkdtempSync(join(tmpdir(), 'chartroom-viewer-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** As `npm run build:package` does, outside of the environment of tests. */
async function build(): Promise<void> {
  const code = `import { buildViewer } from './scripts/viewer-build.ts'; await buildViewer(process.argv[1])`
  const { output, code: exit } = await runTool('node', ['--input-type=module', '-e', code, folder], {
    env: { NODE_ENV: 'production' },
  })
  if (exit !== 0) throw new Error(`The viewer could not be built:\n${output}`)
}

beforeAll(build, 240_000)

async function traceOf(input: Uint8Array): Promise<ReplayableTrace> {
  const read = await readTrace(input)
  if (read.kind === 'unusable') throw new Error(read.message)
  return read.trace
}

/** Opens the viewer with a trace; it must report no errors and request nothing. */
async function withViewer(
  browser: Browser,
  trace: ReplayableTrace,
  name: string,
  visit: (page: Page) => Promise<void>,
): Promise<void> {
  const html = await viewerPage(trace, name, join(folder, VIEWER))
  expect(Buffer.byteLength(html)).toBeLessThan(1_500_000)
  const file = join(folder, 'view', 'recording.html')
  mkdirSync(join(folder, 'view'), { recursive: true })
  writeFileSync(file, html)
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  try {
    const page = await context.newPage()
    const watch = watchPage(page)
    const requests: string[] = []
    page.on('request', request => requests.push(request.url()))
    await page.goto(pathToFileURL(file).href)
    await visit(page)
    expect(requests.filter(url => !/^(?:file|blob|data):/.test(url))).toEqual([])
    expect(watch.problems()).toEqual([])
  } finally {
    await context.close()
  }
}

const session = () => traceOf(readFileSync(join(root, 'tests/traces/session-af32746f9a2a69bd.jsonl.gz')))

test("shows and replays a recording of Chartroom's own machines, and keeps the place", async ({
  browser,
}) => {
  await withViewer(browser, await session(), 'night.gz', async page => {
    await expect.poll(() => page.title()).toBe('night.gz – Chartroom')
    await page.getByText('28 events').waitFor()
    await page.getByRole('tab', { name: 'Replay' }).click()
    await page.getByRole('button', { name: 'Verify by replay' }).click()
    await page.getByText(/28 steps identical/).waitFor()
    expect(await axeInThemes(page)).toEqual([])
    // One of the last events, which the log shows: a row that must be scrolled to moves away from the click.
    await page.getByRole('grid', { name: 'Event log' }).locator('[aria-rowindex="27"]').click()
    await expect.poll(() => page.url()).toMatch(/recording\.html\?.*at=25/)
    const at = new URL(page.url()).searchParams.get('at')
    await page.reload()
    await page.getByText(`event ${at} of 27`).waitFor()
  })
})

test('lays out the charts of other machines, and a name is only text', async ({ browser }) => {
  const recording = record(
    createMachine({ id: 'till', initial: 'open', states: { open: { on: { close: 'shut' } }, shut: {} } }),
  )
  recording.start()
  recording.actor.send({ type: 'close' })
  recording.stop()
  const trace = await traceOf(await recording.file())
  const name = '"><img src=x onerror=alert(1)>{{trace}}$&.gz'
  await withViewer(browser, trace, name, async page => {
    await page.getByText('3 events').waitFor()
    expect(await page.title()).toBe(`${name} – Chartroom`)
    await page.getByRole('tab', { name: 'Chart' }).click()
    await page.getByText('shut', { exact: true }).first().waitFor()
  })
})
