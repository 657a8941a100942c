// The viewer in a real browser: one file opened from disk, which shows, checks and lays out a recording offline.
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { createMachine } from 'xstate'
import { root } from '../../scripts/tool.ts'
import { record } from '../../src/public/devtools/recording.ts'
import { type ReplayableTrace, readTrace } from '../../src/public/devtools/replay.ts'
import { withBrowser } from '../harness/browser.ts'
import { watchPage } from '../harness/page-watch.ts'
import { viewerWith } from '../harness/viewer-file.ts'

const test = withBrowser

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
  const address = await viewerWith(trace, 'recording', name)
  expect((await stat(fileURLToPath(address))).size).toBeLessThan(1_500_000)
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  try {
    const page = await context.newPage()
    const watch = watchPage(page)
    const requests: string[] = []
    page.on('request', request => requests.push(request.url()))
    await page.goto(address)
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
    await page
      .getByText(/28 steps identical/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'All steps' }).click()
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
