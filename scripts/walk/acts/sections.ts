// The walk through files, functions, realtime, the account and connections.
import { goTo, signIn } from '../../screenshots/harbour.ts'
import type { Product } from '../product.ts'
import { CONTEXT, type Stage } from '../stage.ts'
import { keys, openTable, press, sections } from './page.ts'

const text = (name: string, content: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
})

export async function files({ page, see }: Stage, product: Product): Promise<void> {
  const dialog = page.getByRole('dialog')
  const uploads = page.getByRole('region', { name: 'Uploads' })
  const choose = (all: readonly ReturnType<typeof text>[]) =>
    page
      .locator('input[type=file]')
      .last()
      .setInputFiles([...all])
  await signIn(page, product.url, product.skipper)
  await press(page, 'Not now')
  await see('buckets', async () => {
    await page.goto(`${product.url}/files?all=true`)
    await page.getByRole('button', { name: 'New bucket' }).waitFor()
  })
  await see('new-bucket', async () => {
    await press(page, 'New bucket')
    await dialog.waitFor()
  })
  await keys(page, 'Escape')
  await see('folder', async () => {
    await page.goto(`${product.url}/files/charts`)
    await page.getByRole('link', { name: 'My files' }).click()
    await page.getByRole('row', { name: 'pilot-notes.txt' }).waitFor()
  })
  await see('new-folder', async () => {
    await press(page, 'New folder')
    await dialog.waitFor()
  })
  await keys(page, 'Escape')
  await see('upload-conflict', async () => {
    // The button that opened the dialog has the focus again, and shows its tooltip.
    await page.getByRole('tooltip').waitFor()
    await keys(page, 'Escape')
    await choose([
      text('soundings.txt', 'twelve fathoms'),
      text('pilot-notes.txt', 'mine'),
      { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(7_000_000, 5) },
    ])
    await uploads.getByText('A file with this name already exists.').waitFor()
  })
  await see('uploading', async () => {
    await uploads.getByRole('button', { name: 'Keep both' }).click()
    const part = { family: 'storage', method: 'PATCH', from: 2 } as const
    await product.faults({ id: 'second', when: part, do: { hold: 'request' } })
    const buffer = Buffer.alloc(15_000_000, 5)
    await choose([{ name: 'survey.bin', mimeType: 'application/octet-stream', buffer }])
    await uploads
      .getByRole('button', { name: /^Pause/ })
      .first()
      .waitFor()
    await uploads
      .getByText(/ of 15/)
      .first()
      .waitFor()
  })
  await see('upload-paused', async () => {
    await uploads
      .getByRole('button', { name: /^Pause/ })
      .first()
      .click()
    await uploads
      .getByRole('button', { name: /^Resume/ })
      .first()
      .waitFor()
  })
  await product.faults()
  await see('file', async () => {
    await page.goto(`${product.url}/files/charts`)
    await page.getByRole('link', { name: 'My files' }).click()
    await page.getByRole('row', { name: 'pilot-notes.txt', exact: true }).click()
    await page.getByRole('complementary', { name: 'File pilot-notes.txt' }).waitFor()
  })
  await see('signed-link', async () => {
    await press(page, 'Create link')
    await page.getByRole('textbox', { name: 'Signed link' }).waitFor()
  })
  await see('delete-question', async () => {
    await page.getByRole('row', { name: 'pilot-notes.txt', exact: true }).focus()
    await keys(page, 'Space', 'Delete')
    await page.getByRole('alertdialog').waitFor()
  })
}

export async function functions({ page, see }: Stage, product: Product): Promise<void> {
  const answer = page.getByRole('region', { name: 'Response' })
  const example = async (name: RegExp) => {
    await press(page, 'Examples')
    await page.getByRole('menuitem', { name }).click()
  }
  await signIn(page, product.url, product.skipper)
  await press(page, 'Not now')
  await see('idle', () => goTo(page, 'Functions'))
  await see('examples', async () => {
    await press(page, 'Examples')
    await page.getByRole('menu').waitFor()
  })
  await keys(page, 'Escape')
  await see('stream', async () => {
    await example(/^Sightings as events/)
    await press(page, /^Call$/)
    await answer.getByText('"n":8').waitFor({ timeout: 30_000 })
  })
  await see('response', async () => {
    const form = page.getByRole('form', { name: 'Request' })
    await form.getByLabel('Function', { exact: true }).fill('tide')
    await press(page, /^Call$/)
    await answer.getByText('"height"').first().waitFor()
  })
  await see('missing', async () => {
    const form = page.getByRole('form', { name: 'Request' })
    await form.getByLabel('Function', { exact: true }).fill('nope')
    await press(page, /^Call$/)
    await answer.getByText(/404/).first().waitFor()
  })
}

export async function realtime(stage: Stage, product: Product): Promise<void> {
  const { page, see } = stage
  const dialog = page.getByRole('dialog')
  await signIn(page, product.url, product.skipper)
  await press(page, 'Not now')
  await see('no-topics', async () => {
    await goTo(page, 'Realtime')
    await page.getByText('No topics joined').waitFor()
  })
  await see('join-error', async () => {
    await press(page, 'Join a topic')
    await dialog.getByRole('button', { name: 'Join', exact: true }).click()
    await dialog.getByText('Enter a topic name.').waitFor()
  })
  await keys(page, 'Escape')
  await see('topic', async () => {
    const other = await page.context().browser()?.newContext(CONTEXT)
    const mate = await other?.newPage()
    if (!mate) throw new Error('There is no browser for a second user')
    await signIn(mate, product.url, product.mate)
    for (const each of [page, mate]) {
      await goTo(each, 'Realtime')
      await each.getByRole('button', { name: 'Join bridge' }).click()
      await each.getByText('joined', { exact: true }).first().waitFor()
    }
    for (const from of [mate, page]) {
      const form = from.getByRole('form', { name: 'Write a message' })
      await form.getByRole('textbox', { name: 'Message' }).fill('What water have you at the bar?')
      await form.getByRole('button', { name: 'Send' }).click()
    }
    await page.getByRole('log').getByText('What water have you at the bar?').nth(1).waitFor()
    await other?.close()
  })
  await see('join-form', async () => {
    await press(page, 'Join a topic')
    await dialog.getByRole('textbox', { name: 'Topic', exact: true }).fill('vessels')
  })
}

export async function account({ page, see }: Stage, product: Product): Promise<void> {
  await signIn(page, product.url, product.skipper)
  await press(page, 'Not now')
  await see('session', async () => {
    await goTo(page, 'Account')
    await press(page, 'Decode')
    await page.getByRole('table').first().waitFor()
  })
  for (const tab of ['Profile', 'Security', 'Accounts'])
    await see(tab.toLowerCase(), async () => {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel', { name: tab }).waitFor()
    })
  await see('switcher', async () => {
    await press(page, /^Backend and account/)
    await page.getByRole('menu', { name: 'Backends and accounts' }).waitFor()
  })
  await keys(page, 'Escape')
  await see('palette', async () => {
    await keys(page, 'Control+k')
    await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
  })
  await keys(page, 'Escape')
  await see('key-sheet', async () => {
    await openTable(page, product.url, 'log_entries')
    // In the grid, a character begins to edit a cell.
    await sections(page)
      .getByRole('link', { name: /^Data\b/ })
      .focus()
    await keys(page, '?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  })
  await keys(page, 'Escape')
  await see('no-such-page', async () => {
    await page.goto(`${product.url}/nowhere`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  })
}

export async function connections({ page, see }: Stage, product: Product): Promise<void> {
  await signIn(page, product.url, product.skipper)
  await press(page, 'Not now')
  await see('list', () => goTo(page, 'Connections'))
  await see('diagnostics', async () => {
    await press(page, /^Run diagnostics/)
    await page.getByText('All services OK').waitFor()
  })
  await see('secret-key', async () => {
    const form = page.getByRole('form', { name: 'Connect to a backend' })
    await form.getByLabel('URL').fill('https://supabase.com/dashboard/project/abcdefghijklmnopqrst/editor')
    await form.getByLabel('Publishable key').fill('sb_secret_0123456789')
    await form.getByRole('button', { name: 'Connect' }).click()
    await form.getByText(/This is a secret key/).waitFor()
  })
}
