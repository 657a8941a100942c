// The looks in which a page must hold: light and dark, wide and narrow. One page takes them on in turn.
import type { Page, ViewportSize } from 'playwright-core'
import { axeComplaints } from './axe.ts'

export interface Sizes {
  readonly wide: ViewportSize
  readonly narrow: ViewportSize
}

/** What `complain` has to say in each look; a complaint is told with its look. */
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

/** What axe finds, and whether the page is wider than the window. */
export async function cutOrComplained(page: Page): Promise<readonly unknown[]> {
  const isCut = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  return [...(await axeComplaints(page)), ...(isCut ? ['cut'] : [])]
}
