// Screenshots of the workbench: rows, row visibility, files, functions, topics, account, hosts, and a phone.
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Backend } from '../../backend/index.ts'
import { goTo, signIn } from './harbour.ts'
import type { Studio } from './studio.ts'

/** The size used on a guide page. */
const PART: BrowserContextOptions = { viewport: { width: 1180, height: 700 } }
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, colorScheme: 'light' }

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

export async function captureWorkbench(studio: Studio, harbour: Backend): Promise<void> {
  const [skipper, mate] = harbour.accounts
  if (!skipper || !mate) throw new Error('The harbour has no accounts to sign in with')
  const page = await studio.open(PART)
  await signIn(page, harbour.url, skipper)
  await press(page, 'Not now')
  const parts: readonly (readonly [name: string, tell: (page: Page) => Promise<void>])[] = [
    ['data', editing],
    ['seen', comparing],
    ['files', looking],
    ['functions', streaming],
    ['account', reading],
    ['connections', asking],
  ]
  for (const [name, capture] of parts)
    await studio.scene(`workbench-${name}`, async () => {
      await capture(page)
      await studio.picture(page, `workbench-${name}`)
      await page.keyboard.press('Escape')
    })
  await studio.scene('workbench-realtime', async () => {
    const other = await studio.open(PART)
    await signIn(other, harbour.url, mate)
    await talking(page, other)
    await studio.picture(page, 'workbench-realtime')
    await other.context().close()
  })
  await page.context().close()
  await studio.scene('workbench-narrow', async () => {
    const phone = await studio.open(PHONE)
    await signIn(phone, harbour.url, skipper)
    await press(phone, 'Not now')
    await rows(phone)
    await studio.picture(phone, 'workbench-narrow')
    await phone.context().close()
  })
}

async function rows(page: Page): Promise<void> {
  await goTo(page, 'Data')
  await page.getByRole('grid').first().getByRole('row').nth(3).waitFor()
  await page.getByRole('main').getByText('live', { exact: true }).waitFor()
}

/** Looks up a foreign key. */
async function editing(page: Page): Promise<void> {
  await rows(page)
  const grid = page.getByRole('grid').first()
  await grid.getByRole('row').nth(3).getByRole('gridcell', { name: /^4 / }).dblclick()
  await page.getByRole('option').first().waitFor()
}

async function comparing(page: Page): Promise<void> {
  await rows(page)
  await press(page, 'Seen by…')
  await page.getByRole('dialog').getByText('hidden', { exact: true }).first().waitFor()
}

async function looking(page: Page): Promise<void> {
  await goTo(page, 'Files')
  await page.getByRole('grid').getByText('My files').click()
  await page.getByText('approaches').click()
  await page.getByText('gullhaven.svg').click()
  await page.getByText('ETag').waitFor()
}

async function streaming(page: Page): Promise<void> {
  await goTo(page, 'Functions')
  await press(page, 'Examples')
  await page.getByRole('menuitem', { name: /^Sightings as events/ }).click()
  await press(page, /^Call$/)
  await page.getByRole('region', { name: 'Response' }).getByText('"n":8').waitFor()
}

/** Shows the token's claims, never the token. */
async function reading(page: Page): Promise<void> {
  await goTo(page, 'Account')
  await press(page, 'Decode')
  await page.getByRole('table').first().waitFor()
}

async function asking(page: Page): Promise<void> {
  await goTo(page, 'Connections')
  await press(page, /^Run diagnostics/)
  await page.getByText('All services OK').waitFor()
}

async function talking(page: Page, other: Page): Promise<void> {
  for (const each of [page, other]) {
    await goTo(each, 'Realtime')
    await each.getByRole('button', { name: 'Join bridge' }).click()
    await each.getByText('joined', { exact: true }).first().waitFor()
  }
  const message = [
    [other, 'Fulmar, what water have you at the bar?'],
    [page, 'Two metres and falling.'],
    [other, 'Then wait for the flood.'],
  ] as const
  for (const [from, text] of message) {
    const form = from.getByRole('form', { name: 'Write a message' })
    await form.getByRole('textbox', { name: 'Message' }).fill(text)
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('log').getByText(text).waitFor()
  }
}
