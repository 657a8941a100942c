// The workbench as a user meets it: by role and by name, never by the markup behind them.
import type { Locator, Page } from 'playwright-core'
import { ConsolePage } from './console-page.ts'

export type Section = 'Data' | 'Files' | 'Functions' | 'Realtime' | 'Account' | 'Connections'

export interface Credentials {
  readonly email: string
  readonly password: string
}

export class WorkbenchPage extends ConsolePage {
  readonly #origin: string

  constructor(page: Page, origin: string) {
    super(page)
    this.#origin = origin
  }

  get sections(): Locator {
    return this.page.getByRole('navigation', { name: 'Sections' })
  }

  /** The button of a notice; one that is leaving stays in the page for 200 ms. */
  get undo(): Locator {
    return this.page
      .locator('[data-sonner-toast][data-removed=false]')
      .getByRole('button', { name: 'Undo', exact: true })
  }

  /** Makes room for the page, which a maximized console covers. */
  async restoreConsole(): Promise<void> {
    const restore = this.console.getByRole('button', { name: 'Restore the console' })
    await restore.click()
    await restore.waitFor({ state: 'detached' })
  }

  /** The pill with the connection status. */
  get connection(): Locator {
    return this.page.getByRole('status', { name: /^Realtime:/ })
  }

  get signInForm(): Locator {
    return this.page.getByRole('form', { name: 'Sign in' })
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(new URL(path, this.#origin).href)
  }

  /** Fills in the form; the test checks the result. */
  async submitSignIn({ email, password }: Credentials): Promise<void> {
    await this.signInForm.getByLabel('Email').fill(email)
    await this.signInForm.getByLabel('Password', { exact: true }).fill(password)
    await this.signInForm.getByRole('button', { name: 'Sign in' }).click()
  }

  /** Opens the app and signs in; returns once the sections are visible. */
  async signInAs(credentials: Credentials): Promise<void> {
    await this.open()
    await this.submitSignIn(credentials)
    await this.sections.waitFor()
  }

  /** Opens a page of the app with an existing stored session, for tests that are not about signing in. */
  async openAs(credentials: Credentials, path = '/'): Promise<void> {
    await openWithSession(this.page, this.#origin, credentials, path)
  }

  async goTo(section: Section): Promise<void> {
    await this.sections.getByRole('link', { name: new RegExp(`^${section}\\b`) }).click()
    await this.page.getByRole('heading', { level: 1 }).waitFor()
  }

  /** Joins the demo's topic, which the page only offers. */
  async joinBridge(): Promise<void> {
    await this.goTo('Realtime')
    await this.page.getByRole('button', { name: 'Join bridge' }).click()
  }

  async openConsole(): Promise<Locator> {
    if (!(await this.console.isVisible()))
      await this.page.getByRole('button', { name: 'Open the console' }).click()
    await this.console.waitFor()
    return this.console
  }

  /** The rows of the first grid on the page, without its header. */
  get rows(): Locator {
    return this.page
      .getByRole('grid')
      .first()
      .getByRole('row')
      .filter({ has: this.page.getByRole('gridcell') })
  }

  row(text: string): Locator {
    return this.page.getByRole('row').filter({ hasText: text })
  }

  /** The indicator that row changes are live. */
  get liveMark(): Locator {
    return this.page.getByRole('main').getByText('live', { exact: true })
  }

  /** Fills in the form of a new row by its columns' names and saves it. */
  async addRow(values: Readonly<Record<string, string>>): Promise<void> {
    await this.page.getByRole('button', { name: 'New row', exact: true }).click()
    const dialog = this.page.getByRole('dialog')
    for (const [column, value] of Object.entries(values)) {
      await dialog.getByLabel(new RegExp(`^${column}\\b`)).fill(value)
    }
    await dialog.getByRole('button', { name: 'Add row' }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  /** Requests the deletion: the row is deleted unless it is undone for a while. */
  async deleteRow(text: string): Promise<void> {
    await this.row(text)
      .getByRole('button', { name: /^Delete/ })
      .click()
  }

  present(name: string): Locator {
    return this.page
      .getByRole('complementary', { name: 'Presence' })
      .getByRole('listitem')
      .filter({ hasText: name })
  }

  async sendMessage(text: string): Promise<void> {
    const form = this.page.getByRole('form', { name: 'Write a message' })
    await form.getByRole('textbox', { name: 'Message' }).fill(text)
    await form.getByRole('button', { name: 'Send' }).click()
  }

  message(text: string): Locator {
    return this.page.getByRole('log').getByText(text)
  }

  async downloadRecording(): Promise<Buffer> {
    await this.openConsole()
    const button = this.console.getByRole('button', { name: 'Download recording' })
    const more = this.console.getByRole('button', { name: 'More', exact: true })
    await button.or(more).first().waitFor()
    const isInMenu = await more.isVisible()
    const downloading = this.page.waitForEvent('download')
    if (isInMenu) await more.click()
    await (isInMenu ? this.page.getByRole('menuitem', { name: 'Download recording' }) : button).click()
    const stream = await (await downloading).createReadStream()
    return Buffer.concat(await stream.toArray())
  }
}

/** Opens a page of the app with a stored session; returns once the sections are visible. */
export async function openWithSession(
  page: Page,
  origin: string,
  { email, password }: Credentials,
  path = '/',
): Promise<void> {
  const { key } = await json(`${origin}/_chartroom/config`)
  const session = await json(`${origin}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: String(key), 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const storing = await page.addInitScript(
    ([own, name, text]) => {
      if (location.origin === own) localStorage.setItem(name, text)
    },
    [origin, `chartroom.session.${origin}`, JSON.stringify(session)] as const,
  )
  await page.goto(new URL(path, origin).href)
  // Pages that are loaded later find the updated session.
  await storing.dispose()
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
}

async function json(url: string, init?: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}`)
  return (await response.json()) as Record<string, unknown>
}
