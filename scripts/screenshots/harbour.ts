// Screenshots of the product: a morning in the harbor with a network failure and a token expiry, in every
// console view.
import type { Page } from 'playwright-core'
import type { Backend } from '../../backend/index.ts'
import type { Studio } from './studio.ts'
import { captureViews } from './views.ts'

export async function captureHarbour(studio: Studio, harbour: Backend): Promise<void> {
  const [skipper, mate] = harbour.accounts
  if (!skipper || !mate) throw new Error('The harbour has no accounts to sign in with')
  const page = await studio.open()
  await signIn(page, harbour.url, skipper)
  const other = await studio.open()
  await signIn(other, harbour.url, mate)
  await live(page, other, harbour)
  await other.context().close()
  await studio.scene('workbench', async () => {
    await page.getByRole('button', { name: 'Open the console' }).click()
    const console = page.getByRole('region', { name: 'Console', exact: true })
    await console.getByRole('application', { name: /^Chart of/ }).waitFor()
    await studio.picture(page, 'workbench')
  })
  await studio.scene('views', async () => captureViews(studio, await ownWindow(page)))
  await page.context().close()
}

interface Account {
  readonly email: string
  readonly password: string
}

/** Signs in to the app and waits for its first page. */
export async function signIn(page: Page, url: string, { email, password }: Account): Promise<void> {
  await page.goto(url)
  const form = page.getByRole('form', { name: 'Sign in' })
  await form.getByLabel('Email').fill(email)
  await form.getByRole('textbox', { name: 'Password' }).fill(password)
  await form.getByRole('button', { name: 'Sign in' }).click()
  await sections(page).waitFor()
}

const sections = (page: Page) => page.getByRole('navigation', { name: 'Sections' })

/** Opens a section through the section list. */
export async function goTo(page: Page, section: string): Promise<void> {
  await sections(page)
    .getByRole('link', { name: new RegExp(`^${section}( \\d+)?$`) })
    .click()
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Both users post on the bridge; a squall cuts the connection, and the tide expires the token. */
async function live(page: Page, other: Page, harbour: Backend): Promise<void> {
  for (const each of [other, page]) {
    await goTo(each, 'Realtime')
    await each.getByRole('button', { name: 'Join bridge' }).click()
  }
  const say = async (from: Page, text: string) => {
    const form = from.getByRole('form', { name: 'Write a message' })
    await form.getByRole('textbox', { name: 'Message' }).fill(text)
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('log').getByText(text).waitFor()
  }
  await say(other, 'Petrel is at the mole.')
  await say(page, 'Seen. Berth 3 is free.')
  harbour.faults.add({ story: 'squall' })
  await goTo(page, 'Data')
  await page.getByRole('grid').first().getByRole('row').nth(3).waitFor()
  await page.getByRole('main').getByText('live', { exact: true }).waitFor({ timeout: 30_000 })
  harbour.faults.clear()
  harbour.faults.add({ story: 'tide' })
  await goTo(page, 'Files')
  await goTo(page, 'Data')
  await page.getByRole('grid').first().getByRole('row').nth(3).waitFor()
  await page.getByRole('main').getByText('live', { exact: true }).waitFor({ timeout: 30_000 })
  harbour.faults.clear()
}

/** Opens the console in its own window, as large as the picture. */
async function ownWindow(page: Page): Promise<Page> {
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Open the console in a separate window' }).click()
  const own = await opening
  await own.setViewportSize({ width: 1440, height: 900 })
  await own.getByRole('treegrid', { name: 'Event log' }).getByRole('row').nth(5).waitFor()
  return own
}
