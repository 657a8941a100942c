// The tour inside its page, on a copy of the example: its steps are marked once they are done, the bug and its fix
// show, and it resumes.
import { join } from 'node:path'
import { expect } from 'vitest'
import { startTour } from '../../scripts/tour-server.ts'
import { axeComplaints } from '../harness/axe.ts'
import { withBrowser } from '../harness/browser.ts'
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

withBrowser(
  'a newcomer finds why the mate was signed out, fixes the machine, and resumes the tour',
  async ({ browser, onTestFinished }) => {
    const { folder, remove } = await copyTour()
    onTestFinished(remove)
    const server = await startTour({ port: 0, folder })
    onTestFinished(() => server.stop())
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 1440, height: 900 },
    })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    // The development server serves each module of the console separately.
    page.setDefaultTimeout(PATIENCE)
    const watch = watchPage(page)
    await page.goto(server.url)
    expect(await axeComplaints(page, '[aria-label=Tour]')).toEqual([])

    await haveSquall(page)
    await page.getByRole('alert').getByText('You were signed out').waitFor()
    await openTrace(page, join(folder, 'signed-out.trace.gz'))
    await nextDone(page)
    await consoleOf(page).focus()
    await page.keyboard.press('/')
    await page.keyboard.type('actor:session state:signedOut')
    await page.keyboard.press('Enter')
    await consoleOf(page)
      .getByRole('treegrid', { name: 'Event log' })
      .getByText('xstate.error.actor.renew', { exact: true })
      .click()
    await consoleOf(page).getByText('event 88 of 91 (not at end)').waitFor()
    await nextDone(page)

    const guide = guideOf(page)
    while (!(await guide.getByRole('heading', { name: 'Fix the machine' }).isVisible()))
      await guide.getByRole('button', { name: 'Next' }).press('Enter')
    expect(await guide.getByText('✓ Done').count()).toBe(0)
    await mendTour(folder)
    await guide.getByText('✓ Done').waitFor()
    await press(page, 'Close the tour')
    await page.getByRole('button', { name: 'Resume the tour (12 of 16)', exact: true }).press('Enter')
    await guide.getByRole('heading', { name: 'Fix the machine' }).waitFor()
    expect(watch.problems()).toEqual([])
  },
)
