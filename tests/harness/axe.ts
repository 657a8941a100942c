// What axe has to say against a page.
import axe from 'axe-core'
import type { AxeResults, ContextObject, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** Each rule that is broken, with the elements that break it; of a part of the page when one is given, by some rules alone when they are named. */
export async function axeComplaints(page: Page, within?: string, rules?: string[]): Promise<string[][]> {
  await bring(page)
  const context = { include: [[within ?? 'html']] }
  const options: RunOptions = {
    // Whatever is in order would be carried out of the page too, which takes ten times as long as looking.
    resultTypes: ['violations'],
    // All style sheets would be gathered for a rule that is not looked at.
    preload: { assets: ['media'] },
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  }
  return page.evaluate(
    async ([what, how]) => {
      // On the way from one theme to another, colours are neither's. (`finished` stays open at times for one that is over.)
      for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()
      const { violations } = await (window as unknown as Brought).axe.run(what, how)
      return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))])
    },
    [context, options] as const,
  )
}

interface Brought {
  readonly axe: { run(context: ContextObject, options: RunOptions): Promise<AxeResults> }
}

/** Once for each document: to compile it takes as long as to look with it. */
async function bring(page: Page): Promise<void> {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source)
}
