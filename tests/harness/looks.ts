// Appearance variants that a page must support: light and dark, wide and narrow. One page switches between
// them.
import type { Page, ViewportSize } from 'playwright-core'
import { axeComplaints } from './axe.ts'

export interface Sizes {
  readonly wide: ViewportSize
  readonly narrow: ViewportSize
}

/** The complaints of `complain` in each variant; a complaint names its variant. */
export async function inEveryLook(
  page: Page,
  sizes: Sizes,
  complain: () => Promise<readonly unknown[]>,
): Promise<(readonly [string, unknown])[]> {
  const found: (readonly [string, unknown])[] = []
  for (const size of ['wide', 'narrow'] as const) {
    await page.setViewportSize(sizes[size])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const complaint of await complain()) found.push([`${colorScheme}, ${size}`, complaint])
    }
  }
  return found
}

/** Axe violations, and whether the page is wider than the window. */
export async function cutOrComplained(page: Page): Promise<readonly unknown[]> {
  const isCut = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  return [...(await axeComplaints(page)), ...(isCut ? ['cut'] : [])]
}
