// Appearance variants that a page must support: light and dark, wide and narrow. One page switches between
// them.
import type { Page, ViewportSize } from 'playwright-core'
import { axeComplaints, COLOR_RULES } from './axe.ts'

export interface Sizes {
  readonly wide: ViewportSize
  readonly narrow: ViewportSize
}

/**
 * Axe violations in each variant, and whether the page is wider than the window; dark, only by the rules that a theme
 * can affect. A complaint names its variant.
 */
export async function complaintsInEveryLook(
  page: Page,
  sizes: Sizes,
): Promise<(readonly [string, unknown])[]> {
  const found: (readonly [string, unknown])[] = []
  for (const size of ['wide', 'narrow'] as const) {
    await page.setViewportSize(sizes[size])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const complaints = await axeComplaints(
        page,
        undefined,
        colorScheme === 'dark' ? COLOR_RULES : undefined,
      )
      const isCut = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      for (const complaint of [...complaints, ...(isCut ? ['cut'] : [])])
        found.push([`${colorScheme}, ${size}`, complaint])
    }
  }
  return found
}
