// What overlaps or is cut off on a page.
import type { Page } from 'playwright-core'
import { SIZES, type Fit } from './state.ts'

/** The visible controls of a selector, the text of those that something covers, and how far the app can be scrolled. */
export const covered = (page: Page, selector: string) =>
  page.evaluate(controls => {
    const shown = [...document.querySelectorAll(controls)].filter(
      control => control.getClientRects().length > 0,
    )
    const under = shown.filter(control => {
      const { x, y, width, height, right } = control.getBoundingClientRect()
      const center = document.elementFromPoint(x + width / 2, y + height / 2)
      return right > innerWidth || !control.contains(center)
    })
    const { scrollHeight, clientHeight } = document.documentElement
    return {
      shown: shown.length,
      under: under.map(control => control.getAttribute('aria-label') ?? control.textContent),
      beyond: scrollHeight - clientHeight,
    }
  }, selector)

/** Tabs that are not whole in their line. */
export const cutTabs = (page: Page, list: string) =>
  page
    .getByRole('region', { name: 'Console' })
    .getByRole('tablist', { name: list })
    .getByRole('tab')
    .evaluateAll(all =>
      all
        .filter(one => {
          const { left, right } = one.getBoundingClientRect()
          const line = one.parentElement?.getBoundingClientRect()
          return right > (line?.right ?? 0) + 0.5 || left < (line?.left ?? 0) - 0.5
        })
        .map(one => one.textContent),
    )

/** Nothing covers the six sections, on a laptop at 200 % and on a phone, where the console is as high as its window. */
export const freeSections: Fit = {
  sizes: [SIZES.zoomed, SIZES.phone],
  problems: async page => {
    const restore = page.getByRole('button', { name: 'Restore the console' })
    if (await restore.isVisible()) await restore.click()
    const { shown, under, beyond } = await covered(page, 'nav[aria-label="Sections"] a')
    return [
      ...under,
      ...(shown === 6 ? [] : [`${shown} sections`]),
      ...(beyond === 0 ? [] : [`${beyond} px below the window`]),
    ]
  },
}
