// Results of the console's jobs: in view, announced, and the focus stays where the job was started.
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { atWork } from '../harness/recorded-session.ts'
import { withViewer } from '../harness/viewer-page.ts'

const test = withViewer

/** Whether the upper edge of an element is on the screen and not scrolled out of what contains it. */
const isInView = (element: Locator) =>
  element.evaluate(it => {
    const { left, top } = it.getBoundingClientRect()
    const hit = document.elementFromPoint(left + 4, top + 4)
    return hit !== null && (it === hit || it.contains(hit) || hit.contains(it))
  })

test('what a job makes is scrolled to and announced, and the focus stays', async ({ viewer }) => {
  const { page, console } = viewer
  await viewer.open(atWork(), { viewport: { width: 1440, height: 420 }, place: { view: 'keep' } })
  const news = (text: RegExp) => console.getByRole('status', { name: 'Result' }).filter({ hasText: text })
  const button = (name: string | RegExp) => console.getByRole('button', { name })
  const expectFocus = async (element: Locator) => {
    await expect.poll(() => element.evaluate(it => it === document.activeElement)).toBe(true)
  }
  const center = (name: RegExp) => console.getByRole('tablist', { name: 'Middle' }).getByRole('tab', { name })

  await center(/^Export/).click()
  await button('Create test').press('Enter')
  await news(/^Test created, \d+ lines/).waitFor({ state: 'attached' })
  const source = console.getByRole('textbox', { name: 'test', exact: true })
  await expect.poll(() => isInView(source)).toBe(true)
  await expectFocus(button('Create test'))

  await console.getByRole('tab', { name: 'Steps' }).click()
  await button('Show steps').press('Enter')
  await news(/^\d+ steps?$/).waitFor({ state: 'attached' })
  await expect.poll(() => isInView(console.getByRole('list', { name: 'Steps' }))).toBe(true)
  await expectFocus(button('Show steps'))

  await console.getByRole('tab', { name: 'File' }).click()
  await button(/^Save .*perfetto/).press('Enter')
  const saved = news(/^Saved, /)
  await saved.waitFor()
  await expect.poll(() => isInView(saved)).toBe(true)
  await expectFocus(button(/^Save .*perfetto/))

  await center(/^Replay/).click()
  await button('Verify by replay').press('Enter')
  await news(/^Identical: \d+ inputs? · /).waitFor({ state: 'attached' })
  // The button has given way to the result.
  await expect.poll(() => console.evaluate(it => it.contains(document.activeElement))).toBe(true)
  await button('Verify again').press('Enter')
  await expectFocus(button('Verify again'))
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})
