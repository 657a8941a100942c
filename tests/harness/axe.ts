// Accessibility violations that axe finds on a page.
import axe from 'axe-core'
import type { AxeResults, ContextObject, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Each broken rule with the elements that break it; of a part of the page when given, and only by the named
 * rules when given.
 */
export async function axeComplaints(
  page: Page,
  within?: string,
  rules?: readonly string[],
): Promise<string[][]> {
  await bring(page)
  const context = {
    include: [[within ?? 'html']],
    // React Aria's announcer refers to a pending button for some seconds, also after the button is gone.
    exclude: [['[data-live-announcer] [role=img]']],
  }
  const options: RunOptions = {
    // Passed rules would be serialized out of the page, too, which takes ten times as long as the check.
    resultTypes: ['violations'],
    // All style sheets would be collected for a rule that is not checked.
    preload: { assets: ['media'] },
    ...(rules && { runOnly: { type: 'rule', values: [...rules] } }),
  }
  return page.evaluate(
    async ([what, how]) => {
      // During a theme transition, colors belong to neither theme. (`finished` sometimes stays pending for a
      // finished one.)
      for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()
      const { violations } = await (window as unknown as Brought).axe.run(what, how)
      return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))])
    },
    [context, options] as const,
  )
}

/** The rules that a theme can affect. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** In both themes, light at the end: by all rules in one of them, and in the other by those that it can affect. */
export async function axeInThemes(page: Page, within?: string): Promise<string[][]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await axeComplaints(page, within)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await axeComplaints(page, within, COLOR_RULES)
  return [...dark.map(one => ['dark', ...one]), ...light.map(one => ['light', ...one])]
}

interface Brought {
  readonly axe: { run(context: ContextObject, options: RunOptions): Promise<AxeResults> }
}

/** Once per document: compiling it takes as long as checking with it. */
async function bring(page: Page): Promise<void> {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source)
}
