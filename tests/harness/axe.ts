// What axe has to say against a page.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Each rule that is broken, with the elements that break it; of a part of the page when one is given, by some rules alone when they are named. */
export async function axeComplaints(page: Page, within?: string, rules?: string[]): Promise<string[][]> {
  // Whatever is in order would be carried out of the page too, which takes ten times as long as looking;
  // what the other mode is for, frames of other origins, our pages have none of.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  if (within !== undefined) axe.include(within)
  if (rules) axe.withRules(rules)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))])
}
