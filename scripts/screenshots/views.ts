// Screenshots of each console view, at moments of the same morning.
import type { Locator, Page } from 'playwright-core'
import type { Studio } from './studio.ts'

const NARROW = { width: 390, height: 844 }

/** @param page the console in its own window */
export async function captureViews(studio: Studio, page: Page): Promise<void> {
  const view = new ConsoleView(page)
  const picture = (name: string) => studio.picture(page, `console-${name}`)
  const scenes: readonly (readonly [name: string, tell: () => Promise<void>])[] = [
    ['chart', () => view.center('Chart')],
    [
      'cause',
      async () => {
        await view.choose('actor:session type:token.refreshing', 'token.refreshing')
        await view.inspector('Cause')
      },
    ],
    ['sequence', () => view.center('Sequence')],
    ['timeline', () => view.center('Timeline')],
    ['network', () => view.center('Network')],
    [
      'state',
      async () => {
        await view.center('Chart')
        await view.choose('actor:session type:token.rotated', 'token.rotated')
        await view.inspector('Context')
      },
    ],
    [
      'coverage',
      async () => {
        await view.center('Coverage')
        await view.console.getByRole('row', { name: /^All machines/ }).waitFor()
      },
    ],
    ['palette', () => view.palette('>')],
    [
      'present',
      async () => {
        await view.center('Chart')
        await view.layout('Present')
      },
    ],
    [
      'light',
      async () => {
        await view.layout('Debug')
        await view.center('Network')
        await page.emulateMedia({ colorScheme: 'light' })
      },
    ],
    [
      'narrow',
      async () => {
        await page.emulateMedia({ colorScheme: 'dark' })
        await page.setViewportSize(NARROW)
        await view.console.getByRole('tab', { name: 'Chart' }).click()
        await view.center('Timeline')
      },
    ],
  ]
  for (const [name, capture] of scenes)
    await studio.scene(`console-${name}`, async () => {
      await capture()
      await picture(name)
      await view.leaveDialog()
    })
}

class ConsoleView {
  readonly #page: Page
  readonly console: Locator

  constructor(page: Page) {
    this.#page = page
    this.console = page.getByRole('region', { name: 'Console', exact: true })
  }

  async center(name: string): Promise<void> {
    await this.console
      .getByRole('tablist', { name: 'Middle' })
      .getByRole('tab', { name: new RegExp(`^${name}`) })
      .click()
  }

  async inspector(name: string): Promise<void> {
    await this.console.getByRole('tab', { name, exact: true }).click()
  }

  /** Selects the last event that matches the query, then shows all other events around it. */
  async choose(query: string, event: string): Promise<void> {
    const field = this.console.getByRole('combobox', { name: 'Filter the log' })
    await field.fill(query)
    await field.press('Enter')
    const log = this.console.getByRole('treegrid', { name: 'Event log' })
    await log.getByText(event, { exact: true }).last().click()
    await field.fill('')
    await field.press('Enter')
    await log.focus()
  }

  async palette(text: string): Promise<void> {
    await this.console.focus()
    await this.#page.keyboard.press('Control+k')
    await this.#page.getByRole('combobox', { name: 'Command palette' }).fill(text)
  }

  async layout(name: string): Promise<void> {
    await this.console.getByRole('button', { name: /^Layout:/ }).click()
    await this.#page.getByRole('menuitemradio', { name: new RegExp(`^${name}`) }).click()
  }

  async leaveDialog(): Promise<void> {
    if (await this.#page.getByRole('dialog').first().isVisible()) await this.#page.keyboard.press('Escape')
  }
}
