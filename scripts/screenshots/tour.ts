// The tour's pictures: the mate's recording, the app held at the transition, and the machine that was mended.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { root } from '../tool.ts'
import type { Studio } from './studio.ts'

const RECORDING = join(root, 'examples/tour/signed-out.trace.gz')

export async function tellTour(studio: Studio, url: string): Promise<void> {
  const page = await studio.open()
  await page.goto(url)
  const console = page.getByRole('region', { name: 'Console' })
  await console.waitFor()
  await studio.scene('tour: the reason', async () => {
    await openRecording(page, RECORDING)
    await findSignOut(page)
    await console.getByRole('tab', { name: 'Cause' }).click()
    await studio.picture(page, 'tour-cause')
  })
  await studio.scene('tour: held', async () => {
    await page.keyboard.press('b')
    await console.getByRole('button', { name: 'Close the file' }).click()
    await page.getByRole('button', { name: 'Begin the watch' }).click()
    await page.getByText('is on watch').waitFor()
    await page.getByRole('button', { name: 'Squall' }).click()
    await console.getByText('HELD', { exact: true }).waitFor()
    await studio.picture(page, 'tour-held')
  })
  await page.context().close()
}

async function openRecording(page: Page, file: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Open a trace file' }).click()
  await (await choosing).setFiles(file)
  await page.getByRole('button', { name: 'Close the file' }).waitFor()
}

async function findSignOut(page: Page): Promise<void> {
  const log = page.getByRole('grid', { name: 'Event log' })
  const query = page.getByRole('combobox', { name: 'Filter the log' })
  await query.fill('actor:session state:signedOut')
  await query.press('Enter')
  await log.getByText('xstate.error.actor.renew', { exact: true }).click()
  await query.fill('')
  await query.press('Enter')
  await log.focus()
}
