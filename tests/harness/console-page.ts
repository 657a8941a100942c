// A page with a console: by role and by name, never by the markup behind them.
import type { Locator, Page } from 'playwright-core'
import { watchPage, type PageWatch } from './page-watch.ts'

export class ConsolePage {
  readonly page: Page
  readonly watch: PageWatch

  constructor(page: Page) {
    this.page = page
    this.watch = watchPage(page)
  }

  get console(): Locator {
    return this.page.getByRole('region', { name: 'Console' }).first()
  }

  /** Opens the drawer with the actors, which have a column only in a wide or tall console. */
  async showActors(): Promise<void> {
    const tree = this.console.getByRole('treegrid', { name: 'Actors' })
    const drawer = this.console.getByRole('button', { name: 'Actors', exact: true, pressed: false })
    await tree.or(drawer).first().waitFor()
    if (!(await tree.isVisible())) await drawer.click()
  }

  /** Scrolls the tree, which renders only some actors, from its top to a row. */
  async actorRow(name: RegExp): Promise<Locator> {
    const tree = this.console.getByRole('treegrid', { name: 'Actors' })
    const row = tree.getByRole('row', { name })
    await tree.getByRole('row').first().waitFor()
    for (let top = 0; (await row.count()) === 0 && top < 4_000; top += 100) {
      await tree.evaluate((element, to) => {
        element.scrollTo({ top: to })
        // The rows are rendered in the frame after the one that scrolls.
        return new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      }, top)
    }
    return row
  }

  /** A tree while events can be expanded. */
  get log(): Locator {
    const name = 'Event log'
    return this.console.getByRole('treegrid', { name }).or(this.console.getByRole('grid', { name }))
  }

  logRow(text: string): Locator {
    return this.log.getByRole('row').filter({ hasText: text })
  }

  /** Gives each step its row, also those that only carry out an event. */
  async showAllSteps(): Promise<void> {
    await this.console.getByRole('button', { name: 'All steps', pressed: false }).click()
    await this.console.getByRole('button', { name: 'All steps', pressed: true }).waitFor()
  }

  /** Makes the room that the legend takes on the first open. */
  async dismissLegend(): Promise<void> {
    await this.console.getByRole('button', { name: 'Dismiss the legend' }).click()
  }

  /** Filters the log to rows with the text; rows that are scrolled out of view are not in the page. */
  async filterLog(text: string): Promise<void> {
    await this.console.getByRole('combobox', { name: 'Filter the log' }).fill(text)
  }
}
