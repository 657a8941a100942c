// The walk through the console: docked, maximized, in a separate window, and on a phone.
import { signIn } from '../../screenshots/harbour.ts'
import type { Product } from '../product.ts'
import type { Stage } from '../stage.ts'
import { keys, openTable, press } from './page.ts'

export async function docked(stage: Stage, product: Product): Promise<void> {
  const { page, see } = stage
  const console = page.getByRole('region', { name: 'Console' })
  const center = (name: string) =>
    console
      .getByRole('tablist', { name: 'Middle' })
      .getByRole('tab', { name: new RegExp(`^${name}`) })
      .click()
  const drawer = (name: string) => console.getByRole('button', { name, exact: true, pressed: false }).click()
  await signIn(page, product.url, product.skipper)
  await press(page, 'Not now')
  await see('docked', async () => {
    await openTable(page, product.url, 'log_entries')
    await keys(page, 'Control+`')
    await console.getByRole('application', { name: /^Chart of/ }).waitFor()
  })
  await see('actors', async () => {
    await drawer('Actors')
    await console.getByRole('treegrid', { name: 'Actors' }).waitFor()
  })
  await see('event', async () => {
    // The drawer covers the tabs.
    await console.getByRole('button', { name: 'Close: Actors' }).click()
    await console.getByRole('grid', { name: 'Event log' }).getByRole('row').last().click()
    await console.getByRole('tab', { name: 'Cause' }).click()
  })
  for (const view of ['Sequence', 'Timeline', 'Network', 'Checks', 'Coverage', 'Replay', 'Export'])
    await see(view.toLowerCase(), async () => {
      await center(view)
      if (view === 'Coverage') await console.getByRole('row', { name: /^All machines/ }).waitFor()
    })
  await see('control', async () => {
    await press(page, 'Control the system')
    await console.getByRole('tab', { name: /^Faults/ }).click()
  })
  await see('earlier-recordings', async () => {
    await console.getByRole('button', { name: 'Earlier recordings' }).click()
    await page.getByRole('list', { name: 'Earlier recordings' }).getByRole('listitem').first().waitFor()
  })
  await keys(page, 'Escape')
  await see('maximized', async () => {
    await center('Chart')
    await console.getByRole('button', { name: 'Maximize the console' }).click()
    await console.getByRole('button', { name: 'Restore the console' }).waitFor()
  })
  const opening = page.waitForEvent('popup')
  await press(page, 'Open the console in a separate window')
  const own = await opening
  await stage.on(own).see('own-window', async () => {
    await own.getByRole('grid', { name: 'Event log' }).getByRole('row').nth(5).waitFor()
  })
}

/** The console as a phone opens it. */
export async function phone({ page, see }: Stage, product: Product): Promise<void> {
  const console = page.getByRole('region', { name: 'Console' })
  const sizes = ['phone'] as const
  const view = (name: string) =>
    console.getByRole('tablist', { name: 'Views' }).getByRole('tab', { name }).click()
  await signIn(page, product.url, product.skipper)
  await press(page, 'Not now')
  const at = (state: string, reach: () => Promise<unknown>) => see(state, reach, { sizes })
  await at('page', () => openTable(page, product.url, 'log_entries'))
  await at('opened', async () => {
    await press(page, 'Open the console')
    await console.getByRole('tablist', { name: 'Views' }).waitFor()
  })
  await at('chart', () => view('Chart'))
  await at('event', () => view('Event'))
  await at('earlier-recordings', async () => {
    await press(page, 'Earlier recordings')
    await page.getByRole('list', { name: 'Earlier recordings' }).getByRole('listitem').first().waitFor()
  })
}
