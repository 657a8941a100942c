// The tour's pictures: the mate's recording, the app paused at the transition, and the fixed machine.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { root } from '../tool.ts'
import type { Studio } from './studio.ts'

const EXAMPLE = join(root, 'examples/tour')
const RECORDING = join(EXAMPLE, 'signed-out.trace.gz')

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const center = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()

export async function captureTour(studio: Studio, url: string): Promise<void> {
  const page = await studio.open()
  await page.goto(url)
  await press(page, 'Close the tour')
  const console = page.getByRole('region', { name: 'Console', exact: true })
  await console.waitFor()
  await studio.scene('tour: the reason', async () => {
    await openRecording(page, RECORDING)
    await findSignOut(page)
    await console.getByRole('tab', { name: 'Cause' }).click()
    await console.getByRole('application', { name: /^Chart of/ }).waitFor()
    await studio.picture(page, 'tour-cause')
  })
  await studio.scene('tour: held', async () => {
    await page.getByRole('treegrid', { name: 'Event log' }).focus()
    await page.keyboard.press('b')
    await console.getByRole('button', { name: 'Close file' }).click()
    await page.getByRole('button', { name: 'Begin the watch' }).click()
    await page.getByText('is on watch').waitFor()
    await page.getByRole('button', { name: 'Squall' }).click()
    await console.getByText('PAUSED', { exact: true }).waitFor()
    await studio.picture(page, 'tour-held')
  })
  await studio.scene('tour: the shortest run', async () => {
    await console.focus()
    await page.keyboard.press('p')
    await page.keyboard.press('i')
    await openRecording(page, RECORDING)
    await center(page, 'Checks')
    await press(page, 'Add assertions')
    const choosing = page.waitForEvent('filechooser')
    await press(page, 'Open file')
    await (await choosing).setFiles(join(EXAMPLE, 'squall.json'))
    await press(page, 'Run 1 check')
    await press(page, 'Go to event')
    await studio.picture(page, 'console-checks')
    await press(page, 'Shortest run…')
    await press(page, 'Search')
    await page.getByRole('dialog').getByText('4 of 39 inputs', { exact: true }).waitFor()
    await studio.picture(page, 'tour-shortest')
  })
  await page.context().close()
}

/** The same page with the machine fixed as in the tour. */
export async function captureMended(studio: Studio, url: string): Promise<void> {
  const page = await studio.open()
  await page.goto(url)
  await press(page, 'Close the tour')
  await studio.scene('tour: verified', async () => {
    await openRecording(page, RECORDING)
    await center(page, 'Replay')
    await press(page, 'Verify by replay')
    await page.getByText('Diverged', { exact: true }).waitFor()
    await studio.picture(page, 'tour-divergence')
    await press(page, 'Close file')
  })
  await studio.scene('tour: kept', async () => {
    await press(page, 'Begin the watch')
    await page.getByText('is on watch').waitFor()
    await press(page, 'Squall: 10 s of silence')
    const log = page.getByRole('treegrid', { name: 'Event log' })
    await log.getByText('xstate.done.actor.renew', { exact: true }).waitFor({ timeout: 30_000 })
    await center(page, 'Export')
    await page.getByLabel('Test name').fill('An outage does not end the session')
    await page.getByLabel('Machine module').fill('./watch.ts')
    await press(page, 'Create test')
    await page.getByRole('textbox', { name: 'test', exact: true }).waitFor()
    await studio.picture(page, 'tour-test')
  })
  await page.context().close()
}

async function openRecording(page: Page, file: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  const button = page.getByRole('button', { name: 'Open a trace file' })
  const more = page.getByRole('button', { name: 'More', exact: true })
  await button.or(more).first().waitFor()
  const isInMenu = await more.isVisible()
  if (isInMenu) await more.click()
  await (isInMenu ? page.getByRole('menuitem', { name: 'Open a trace file' }) : button).click()
  await (await choosing).setFiles(file)
  await page.getByRole('button', { name: 'Close file' }).waitFor()
}

async function findSignOut(page: Page): Promise<void> {
  const log = page.getByRole('treegrid', { name: 'Event log' })
  const query = page.getByRole('combobox', { name: 'Filter the log' })
  await query.fill('actor:session state:signedOut')
  await query.press('Enter')
  await log.getByText('xstate.error.actor.renew', { exact: true }).click()
  await query.fill('')
  await query.press('Enter')
  await log.focus()
}
