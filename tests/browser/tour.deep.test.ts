// The tour as its page describes it, on a copy of the example: found, paused, minimized, fixed, verified and
// exported.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { startTour } from '../../scripts/tour-server.ts'
import { root } from '../../scripts/tool.ts'
import { axeComplaints } from '../harness/axe.ts'
import { withHarbour } from '../harness/browser.ts'
import { runVitest } from '../harness/child-vitest.ts'
import { watchPage } from '../harness/page-watch.ts'
import { PATIENCE } from '../harness/shared-page.ts'
import {
  consoleOf,
  copyTour,
  guideOf,
  haveSquall,
  mendTour,
  nextDone,
  openTrace,
  press,
} from '../harness/tour-page.ts'

const EXAMPLE = join(root, 'examples/tour')

const test = withHarbour().extend('folder', async ({}, { onCleanup }) => {
  const { folder, remove } = await copyTour()
  onCleanup(remove)
  return folder
})

test('a newcomer finds why the mate was signed out, fixes the machine, and exports a test', async ({
  browser,
  folder,
}) => {
  const server = await startTour({ port: 0, folder })
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  })
  try {
    const page = await context.newPage()
    // The development server serves each module of the console separately.
    page.setDefaultTimeout(PATIENCE)
    const watch = watchPage(page)
    await page.goto(server.url)
    expect(await axeComplaints(page, '[aria-label=Tour]')).toEqual([])
    await findTheReason(page, join(folder, 'signed-out.trace.gz'))
    await breakAtTheTransition(page)
    await makeItSmall(page, folder)
    await nextStep(page, 'Fix the machine')
    await mendTour(folder)
    await guideOf(page).getByText('✓ Done').waitFor()
    await nextStep(page, 'Verify by replay')
    await verify(page, join(folder, 'signed-out.trace.gz'))
    await nextStep(page, 'Export a test')
    await keep(page, folder)
    await closeAndResume(page)
    expect(watch.problems()).toEqual([])

    const undone = join(folder, '../undone')
    await cp(folder, undone, { recursive: true })
    await cp(join(EXAMPLE, 'session.ts'), join(undone, 'session.ts'))
    const { output } = await runVitest(join(folder, '..'))
    expect(output).toMatch(/✓ mended\/an-outage-does-not-end-the-session\.test\.ts \(1 test\)/)
    expect(output).toMatch(/Tests +1 failed \| 1 passed \(2\)/)
    expect(output).toContain("expected 'signedOut' to deeply equal { signedIn: 'waiting' }")
  } finally {
    await context.close()
    await server.stop()
  }
  // Vite reads the console's sources one by one, and the squalls take their time.
})

const logOf = (page: Page) => consoleOf(page).getByRole('treegrid', { name: 'Event log' })
const center = (page: Page, name: string) =>
  consoleOf(page).getByRole('tab', { name: new RegExp(`^${name}`) })

async function nextStep(page: Page, section: string): Promise<void> {
  await guideOf(page).getByRole('button', { name: 'Next' }).press('Enter')
  await guideOf(page).getByRole('heading', { name: section }).waitFor()
}

async function closeAndResume(page: Page): Promise<void> {
  await nextDone(page)
  await nextDone(page)
  await guideOf(page).getByText('16 of 16').waitFor()
  await press(page, 'Close the tour')
  await page.reload()
  await press(page, 'Resume the tour (16 of 16)')
  await guideOf(page).getByRole('button', { name: 'Back' }).press('Enter')
  await guideOf(page).getByText('✓ Done').waitFor()
}

async function findTheReason(page: Page, file: string): Promise<void> {
  await openTrace(page, file)
  await nextDone(page)
  await consoleOf(page).focus()
  await page.keyboard.press('/')
  await page.keyboard.type('actor:session state:signedOut')
  await page.keyboard.press('Enter')
  // In the toolbar: the same words are announced to screen readers a moment later.
  await consoleOf(page).getByRole('toolbar', { name: 'Console' }).getByText('2 of 92 · 90 hidden').waitFor()
  await logOf(page).getByText('xstate.error.actor.renew', { exact: true }).click()
  await consoleOf(page).getByText('event 88 of 91 (not at end)').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.press('Escape')
  // Among all events again, the selected one is still visible.
  await logOf(page).getByText('session.ended').waitFor()
  await nextDone(page)
  await nextStep(page, 'Find the reason')
  await consoleOf(page).getByRole('tab', { name: 'Cause' }).click()
  const cause = consoleOf(page).getByRole('tabpanel', { name: 'Cause' })
  await cause.getByText('xstate.promise.reject').click()
  await consoleOf(page).getByText('event 87 of 91 (not at end)').waitFor()
  await consoleOf(page).getByRole('tab', { name: 'Event' }).click()
  await consoleOf(page)
    .getByRole('tabpanel', { name: 'Event' })
    .getByText('the office did not respond')
    .first()
    .waitFor()
  await nextDone(page)
  await logOf(page).getByText('xstate.error.actor.renew', { exact: true }).click()
  await consoleOf(page).focus()
}

async function breakAtTheTransition(page: Page): Promise<void> {
  await page.keyboard.press('b')
  await consoleOf(page)
    .getByRole('list', { name: 'Breakpoints' })
    .getByText('watch/session enters signedOut')
    .waitFor()
  await nextDone(page)
  await press(page, 'Close file')
  await haveSquall(page)
  await consoleOf(page).getByText('PAUSED', { exact: true }).waitFor()
  await page.getByRole('alert').getByText('You were signed out').waitFor()
  await nextDone(page)
  await nextDone(page)
  await consoleOf(page).focus()
  await page.keyboard.press('p')
  await consoleOf(page).getByText('PAUSED', { exact: true }).waitFor({ state: 'detached' })
  await nextDone(page)
}

async function makeItSmall(page: Page, folder: string): Promise<void> {
  await openTrace(page, join(folder, 'signed-out.trace.gz'))
  await center(page, 'Checks').press('Enter')
  await center(page, 'Checks').click()
  await press(page, 'Add assertions')
  const choosing = page.waitForEvent('filechooser')
  await press(page, 'Open file')
  await (await choosing).setFiles(join(folder, 'squall.json'))
  await nextDone(page)
  await press(page, 'Run 1 check')
  await consoleOf(page).getByText('1 of 1 failed, 1 time').waitFor()
  await nextDone(page)
  await press(page, 'Shortest run…')
  await press(page, 'Search')
  await page.getByRole('dialog').getByText('4 of 39 inputs', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
}

async function verify(page: Page, file: string): Promise<void> {
  // The page has loaded the new machine: the file is no longer open.
  await page.getByRole('button', { name: 'Stop recording' }).waitFor()
  await openTrace(page, file)
  await center(page, 'Replay').click()
  await press(page, 'Verify by replay')
  await consoleOf(page).getByText('Diverged', { exact: true }).waitFor()
  const parts = consoleOf(page).getByRole('region', { name: 'First difference' })
  await parts.getByText('First difference at event 88').waitFor()
  await parts.getByText('signedIn.renewing#1 error renew [isRefused] → signedOut / notifyEnded').waitFor()
  await parts.getByText('What follows').click()
  await parts.getByText('watch ended as ashore in the recording and as onWatch in the replay').waitFor()
  expect(await axeComplaints(page)).toEqual([])
  await press(page, 'Close file')
}

async function keep(page: Page, folder: string): Promise<void> {
  await haveSquall(page)
  await logOf(page).getByText('xstate.error.actor.renew', { exact: true }).first().waitFor()
  await expect
    .poll(() => logOf(page).getByRole('row').last().innerText())
    .toMatch(/xstate\.done\.actor\.renew/)
  await center(page, 'Export').click()
  await page.getByLabel('Test name').fill('An outage does not end the session')
  await page.getByLabel('Machine module').fill('./watch.ts')
  await press(page, 'Create test')
  const downloading = page.waitForEvent('download')
  await press(page, 'Save an-outage-does-not-end-the-session.test.ts')
  const download = await downloading
  await download.saveAs(join(folder, download.suggestedFilename()))
}
