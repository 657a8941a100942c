// The page says what the console does: it paused the client, set its clock, or injects a fault.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeComplaints, axeInThemes } from '../harness/axe.ts'
import { withHarbour } from '../harness/browser.ts'
import { bundled } from '../harness/bundled.ts'

const test = withHarbour()

const barOf = (page: Page): Locator => page.getByRole('region', { name: 'Chartroom console' })

/** Whether two elements overlap. */
async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()]
  if (!a || !b) throw new Error('both are visible')
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

test('a page tells that it is paused, has faults or another clock, and ends it', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/data/vessels')
  await workbench.row('Kittiwake').waitFor()
  const console = await workbench.openConsole()
  const bar = barOf(page)
  const pause = console.getByRole('button', { name: 'Pause the system' })
  await pause.click()
  await bar.getByText('Paused by the console', { exact: true }).waitFor()
  // The paused console is not live.
  await console.getByText('Latest event').waitFor()
  expect(await console.getByText('Live', { exact: true }).count()).toBe(0)
  // Nothing is covered: the app's bar is below it, and the end of the page is in the window.
  expect(await overlap(bar, page.getByRole('banner'))).toBe(false)
  expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true)
  expect(await axeInThemes(page)).toEqual([])

  // What waits continues when the page resumes; the focus returns to where it was.
  await workbench.sections.getByRole('link', { name: /^Files/ }).click()
  const resume = bar.getByRole('button', { name: /^Resume/ })
  await page.getByRole('button', { name: 'Close the console' }).first().focus()
  await resume.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'charts' }).first().waitFor()
  await bar.waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON')
  await console.getByText('Live', { exact: true }).first().waitFor()
  expect(await page.evaluate(() => getComputedStyle(document.body).paddingTop)).toBe('0px')

  // By key, as in the developer tools of browsers.
  await pause.click()
  await bar.waitFor()
  await page.keyboard.press('F8')
  await bar.waitFor({ state: 'hidden' })

  await console.getByRole('button', { name: 'Control the system' }).click()
  await console.getByRole('tab', { name: /^Faults/ }).click()
  await console.getByRole('button', { name: 'Set: Offline' }).click()
  await bar.getByText('The console injects a fault: offline', { exact: true }).waitFor()
  await workbench.connection.getByText('offline').waitFor()
  await bar.getByRole('button', { name: /^Clear/ }).click()
  await bar.waitFor({ state: 'hidden' })
  await workbench.connection.getByText(/connected|off/).waitFor()
})

test('on a narrow screen, and with the console in another window', async ({ harbour, openWorkbench }) => {
  const workbench = await openWorkbench({ viewport: { width: 390, height: 800 } })
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/account')
  const docked = await workbench.openConsole()
  const opening = page.waitForEvent('popup')
  await docked.getByRole('button', { name: 'Open the console in a separate window' }).click()
  const own = await opening
  await own.getByRole('button', { name: 'Pause the system' }).click()
  const bar = barOf(page)
  await bar.getByText('Paused by the console', { exact: true }).waitFor()
  await own.getByText('Latest event').waitFor()
  expect(await overlap(bar, page.getByRole('banner'))).toBe(false)
  const box = await bar.boundingBox()
  expect([box?.x, box?.width]).toEqual([0, 390])
  expect(await axeComplaints(page)).toEqual([])
  await bar.getByRole('button', { name: /^Resume/ }).click()
  await bar.waitFor({ state: 'hidden' })
  await own.getByText('Live', { exact: true }).first().waitFor()
  await own.close()
})

test('in any other app, also with content at the upper edge', async ({ browser, onTestFinished }) => {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const lib = { entry: 'tests/harness/bar-page.ts', formats: ['es' as const], name: 'unused' }
  const parts = await bundled({ lib, rollupOptions: { output: { codeSplitting: false } } })
  const code = parts.flatMap(part => (part.type === 'chunk' ? part.code : [])).join('\n')
  const show = async (style: string) => {
    await page.goto('about:blank')
    await page.setContent(
      `<html lang="en"><title>Lamp</title><body style="margin: 0"><header style="${style}"><button>Toggle</button></header>
       <main><h1>Lamp</h1><output aria-label="Lamp"></output></main></body></html>`,
    )
    await page.addScriptTag({ type: 'module', content: code })
    await page.waitForFunction(() => 'lamp' in globalThis)
    await page.evaluate(async () => (await lamp.control.open()).hold())
  }
  const bar = barOf(page)
  const toggle = page.getByRole('button', { name: 'Toggle' })
  const output = page.getByLabel('Lamp')

  await show('')
  await bar.getByText('Paused by the console', { exact: true }).waitFor()
  expect(await overlap(bar, toggle)).toBe(false)
  await toggle.click()
  expect(await output.textContent()).toBe('off')
  await page.keyboard.press('F8')
  await expect.poll(() => output.textContent()).toBe('on')
  await bar.waitFor({ state: 'hidden' })

  // Content that is fixed to the upper edge leaves the lower one.
  await show('position: fixed; inset: 0 0 auto; height: 40px; display: flex')
  await bar.waitFor()
  expect(await overlap(bar, toggle)).toBe(false)
  await page.evaluate(async () => {
    const control = await lamp.control.open()
    control.release()
    control.time.setSpeed(10)
    control.faults.set({ kind: 'skewClock', by: 3 * 3_600_000 })
  })
  await bar.getByText('The console has set the clock: 10 times as fast, 3 h ahead', { exact: true }).waitFor()
  await bar.getByRole('button', { name: /^Reset/ }).click()
  // What it gained in the time may be too little to mention: then the bar is hidden.
  const shownText = async () => ((await bar.isVisible()) ? bar.textContent() : '')
  await expect.poll(shownText).not.toMatch(/times as fast|3 h ahead/)

  // The text of a fault is no markup, and an app that has ended leaves nothing behind.
  await page.evaluate(async () => {
    const control = await lamp.control.open()
    control.faults.set({ kind: 'fail', times: 1, path: '<img src=x>' })
  })
  await bar.getByText(/to <img src=x>/).waitFor()
  await page.evaluate(() => lamp.stop())
  await page.evaluate(async () => (await lamp.control.open()).faults.clear())
  await expect.poll(() => page.locator('[data-chartroom-page-bar]').count()).toBe(0)
})
