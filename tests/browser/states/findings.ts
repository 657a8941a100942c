// Goes through an act once: axe in both themes, what overlaps, and whether the page is wider than its window.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeComplaints, COLOR_RULES } from '../../harness/axe.ts'
import type { Harbour } from '../../harness/browser.ts'
import { openWithSession, type WorkbenchPage } from '../../harness/workbench-page.ts'
import { productAt } from './product.ts'
import { isPage, SIZES, type Act, type Size, type State, type Theme } from './state.ts'

/** What Chromium reports of requests that are refused, cut, or missing, as the states need. */
const NETWORK = [/Failed to load resource/, /WebSocket connection/, /ERR_/]

/**
 * Each state is checked in one theme and at one size, of which the next one has the other; `inEveryLook`, in both
 * themes and at each size. Whether it is cut off is always checked at each of them.
 * @throws AssertionError with all findings of all states
 */
export async function expectNoFindings(
  act: Act,
  harbour: Harbour,
  { page, watch }: WorkbenchPage,
  inEveryLook: boolean,
) {
  watch.allow(...NETWORK)
  const product = await productAt(harbour.url, (one, url, account, path) =>
    openWithSession(one, url, account, path),
  )
  const found: unknown[] = []
  let theme: Theme = 'light'
  for (const state of act(page, product)) {
    const { inTests } = state
    if (inTests === 'skip') continue
    await page.setViewportSize(SIZES[state.sizes?.[0] ?? 'wide'])
    const seen = await reach(state, page)
    for (const [n, size] of inTests === undefined ? sizesOf(state).entries() : []) {
      const add = (all: readonly unknown[]) => found.push(...all.map(one => [state.name, size, theme, one]))
      await seen.setViewportSize(SIZES[size])
      await seen.emulateMedia({ colorScheme: theme })
      if (inEveryLook || n === 0) add(await axeComplaints(seen, state.part))
      if (n === 0) {
        theme = theme === 'light' ? 'dark' : 'light'
        await seen.emulateMedia({ colorScheme: theme })
        if (inEveryLook) add(await axeComplaints(seen, state.part, COLOR_RULES))
      }
      if (state.isForced) add(await inForcedColors(seen, state.part))
      if (await seen.evaluate(() => document.documentElement.scrollWidth > innerWidth)) add(['is cut off'])
    }
    for (const size of state.fits?.sizes ?? []) {
      await page.setViewportSize(size)
      await expect
        .poll(() => state.fits?.problems(page), { message: `${state.name} at ${size.width} px` })
        .toEqual([])
    }
    await state.leave?.()
  }
  expect(found).toEqual([])
}

/** Of a whole page also on the narrowest screen that it exists on. */
function sizesOf({ part, sizes = ['wide', 'phone'] }: State): readonly Size[] {
  const looked = sizes.filter(size => size !== 'medium')
  return part === undefined ? looked : looked.slice(0, 1)
}

/** @throws Error with the name of the state */
async function reach(state: State, page: Page): Promise<Page> {
  try {
    const other = await state.reach()
    return isPage(other) ? other : page
  } catch (error) {
    throw new Error(`The state ${state.name} is not reached`, { cause: error })
  }
}

/** Forced colors are the system's, but axe computes with the replaced ones. */
async function inForcedColors(page: Page, part: string | undefined): Promise<string[][]> {
  await page.emulateMedia({ forcedColors: 'active' })
  const found = await axeComplaints(page, part)
  await page.emulateMedia({ forcedColors: 'none' })
  return found.filter(([rule]) => rule !== 'color-contrast')
}
