// States of the files: buckets, a folder, uploads, a file with its link.
import { DIALOG, enter, escape, keys, press, visit } from './page.ts'
import type { Act } from './state.ts'

const text = (name: string, content: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
})

export const files: Act = (page, product) => {
  const dialog = page.getByRole('dialog')
  const uploads = page.getByRole('region', { name: 'Uploads' })
  const choose = (all: readonly ReturnType<typeof text>[]) =>
    page
      .locator('input[type=file]')
      .last()
      .setInputFiles([...all])
  const openFolder = async () => {
    await visit(page, '/files/charts')
    await page.getByRole('link', { name: 'My files' }).click()
    await page.getByRole('row', { name: 'pilot-notes.txt', exact: true }).waitFor()
  }
  return [
    {
      name: 'buckets',
      reach: async () => {
        await enter(page, product, product.skipper, '/files?all=true')
        await page.getByRole('button', { name: 'New bucket' }).waitFor()
      },
    },
    {
      name: 'new-bucket',
      part: DIALOG,
      reach: async () => {
        await press(page, 'New bucket')
        await dialog.waitFor()
      },
      leave: escape(page),
    },
    { name: 'folder', reach: openFolder },
    {
      name: 'new-folder',
      part: DIALOG,
      reach: async () => {
        await press(page, 'New folder')
        await dialog.waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'upload-conflict',
      reach: async () => {
        // The button that opened the dialog has the focus again, and shows its tooltip.
        await page.getByRole('tooltip').waitFor()
        await keys(page, 'Escape')
        await choose([
          text('soundings.txt', 'twelve fathoms'),
          text('pilot-notes.txt', 'mine'),
          { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(7_000_000, 5) },
        ])
        await uploads.getByText('A file with this name already exists.').waitFor()
      },
    },
    {
      name: 'uploading',
      inTests: 'skip',
      part: '[aria-label=Uploads]',
      reach: async () => {
        await uploads.getByRole('button', { name: 'Keep both' }).click()
        const second = { family: 'storage', method: 'PATCH', from: 2 } as const
        await product.faults({ id: 'second', when: second, do: { hold: 'request' } })
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
      },
    },
    {
      name: 'upload-paused',
      inTests: 'skip',
      part: '[aria-label=Uploads]',
      reach: async () => {
        await uploads
          .getByRole('button', { name: /^Pause/ })
          .first()
          .click()
        await uploads
          .getByRole('button', { name: /^Resume/ })
          .first()
          .waitFor()
      },
      leave: () => product.faults(),
    },
    {
      name: 'file',
      inTests: 'pass',
      part: 'main',
      reach: async () => {
        await openFolder()
        await page.getByRole('row', { name: 'pilot-notes.txt', exact: true }).click()
        await page.getByRole('complementary', { name: 'File pilot-notes.txt' }).waitFor()
      },
    },
    {
      name: 'signed-link',
      reach: async () => {
        await press(page, 'Create link')
        await page.getByRole('textbox', { name: 'Signed link' }).waitFor()
      },
    },
    {
      name: 'delete-question',
      part: DIALOG,
      reach: async () => {
        await page.getByRole('row', { name: 'pilot-notes.txt', exact: true }).focus()
        await keys(page, 'Space', 'Delete')
        await page.getByRole('alertdialog').waitFor()
      },
    },
  ]
}
