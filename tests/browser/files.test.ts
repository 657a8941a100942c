// The files pages in one session: uploads, conflicts, previews, shortcuts, moves, links and faults.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour({ data: 'disk', needsChromium: true })

/** The name that is offered for one that the backend refuses. */
const OFFERED = '- -1 -?.json'
const SCRIPT = '<script>document.title = "run"</script>'
const file = (name: string, text: string, mimeType = 'text/plain') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
})

test('files are uploaded, previewed, moved and deleted by keyboard, and none runs', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  // An existing name; the connection is cut below.
  workbench.watch.allow(
    /400 \(Bad Request\).*(pilot-notes\.txt|object\/move)/,
    // The Arabic name, which the backend refuses as the hosted service does.
    /400 \(Bad Request\).*%D9%82/,
    /ERR_INTERNET_DISCONNECTED/,
    /ERR_FAILED/,
  )
  await workbench.openAs(harbour.account('skipper'), '/files/charts')
  await page.getByRole('link', { name: 'My files' }).click()
  const grid = page.getByRole('grid', { name: 'Files in charts' })
  const row = (name: string) => grid.getByRole('row', { name, exact: true })
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await row('pilot-notes.txt').waitFor()

  // A large one in parts, names of every kind, and one that exists.
  const large = Buffer.alloc(7_000_000, 5)
  await page
    .locator('input[type=file]')
    .last()
    .setInputFiles([
      { name: 'large.bin', mimeType: 'application/octet-stream', buffer: large },
      file('قارب #1 ⛵?.json', '{"draught":2.1}', 'application/json'),
      file('page.html', SCRIPT, 'text/html'),
      file('drawing.svg', `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`, 'image/svg+xml'),
      file('page.pdf', SCRIPT, 'application/pdf'),
      file('two-faced.pdf', `%PDF-1.4\n${SCRIPT.replace('document', 'top.document')}`, 'application/pdf'),
      file('pilot-notes.txt', 'mine'),
    ])
  await uploads.getByText('A file with this name already exists.').waitFor()
  await uploads.getByRole('button', { name: 'Keep both' }).click()
  await uploads.getByRole('button', { name: `Upload as ${OFFERED}` }).click()
  await uploads.getByText('7 of 7 files').waitFor()
  await row('pilot-notes (2).txt').waitFor()
  await uploads.getByRole('button', { name: 'Clear' }).click()

  // An image has a thumbnail in the list; other files keep their icon.
  const thumbnail = (name: string) => row(name).locator('img')
  await expect.poll(() => thumbnail('drawing.svg').getAttribute('src')).toMatch(/^data:image\/svg/)
  expect(await thumbnail('page.html').count()).toBe(0)

  // Previews: JSON indented, markup as text, a drawing as an image.
  const pane = (name: string) => page.getByRole('complementary', { name: `File ${name}` })
  await row(OFFERED).press('Enter')
  const text = pane(OFFERED).getByRole('textbox', { name: /^Text of/ })
  await expect.poll(() => text.inputValue()).toBe('{\n  "draught": 2.1\n}')
  await row('page.html').click()
  await expect
    .poll(() =>
      pane('page.html')
        .getByRole('textbox', { name: /^Text of/ })
        .inputValue(),
    )
    .toBe(SCRIPT)
  await row('drawing.svg').click()
  await pane('drawing.svg').getByRole('img', { name: 'drawing.svg' }).waitFor({ state: 'attached' })
  // In a separate tab the page has no session and is not of this site's origin.
  expect(await pane('drawing.svg').getByRole('img').getAttribute('src')).toMatch(/^data:image\/svg/)
  // A file that is not a PDF is not opened as one; a PDF that is also a page is shown only as a document.
  await row('page.pdf').click()
  await pane('page.pdf').getByText('This file has a PDF type but is not a PDF').waitFor()
  await row('two-faced.pdf').click()
  const frame = pane('two-faced.pdf').locator('iframe')
  expect(await frame.getAttribute('src')).toMatch(/^blob:/)
  const isOpen = () => page.frames().some(one => Boolean(one.parentFrame()?.parentFrame()))
  await expect.poll(isOpen).toBe(true)
  expect(await page.title()).toBe('charts · Chartroom')
  await row('drawing.svg').click()
  // The renamed file is still the previewed one.
  await pane('drawing.svg').getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('sketch.svg')
  await page.keyboard.press('Enter')
  await pane('sketch.svg').getByRole('img', { name: 'sketch.svg' }).waitFor({ state: 'attached' })
  expect(await page.title()).toBe('charts · Chartroom')
  await row(OFFERED).click()
  await pane(OFFERED).getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByRole('textbox', { name: 'Signed link' }).inputValue()
  expect(await (await fetch(link)).text()).toBe('{"draught":2.1}')
  await page.keyboard.press('Escape')

  // For an existing name the user is asked, and the moved file replaces the existing one.
  await row('page.html').click()
  await pane('page.html').getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('pilot-notes (2).txt')
  await page.keyboard.press('Enter')
  const taken = page.getByRole('group', { name: 'pilot-notes (2).txt already exists' })
  await taken.getByRole('button', { name: 'Replace' }).click()
  await page.getByText('Renamed 1 file').last().waitFor()
  await row('page.html').waitFor({ state: 'detached' })
  await row('pilot-notes (2).txt').waitFor()
  await page.keyboard.press('Escape')

  // By keyboard alone: a folder is created, two files are selected and moved there, the folder is deleted
  // with its content.
  await page.getByRole('button', { name: 'New folder' }).press('Enter')
  await page.getByRole('dialog').getByLabel('Name').fill('old charts')
  await page.keyboard.press('Enter')
  await page.getByText('No files visible to you').waitFor()
  await page.getByRole('link', { name: 'My files', exact: true }).press('Enter')
  await row('large.bin').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  const chosen = page.getByRole('toolbar', { name: 'Selected entries' })
  await chosen.getByText('2 entries selected').waitFor()
  await chosen.getByRole('button', { name: 'Move' }).press('Enter')
  const folders = page.getByRole('dialog').getByRole('group', { name: /^Folders in/ })
  await folders.getByRole('button', { name: 'old charts' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).press('Enter')
  await page.getByText('Moved 2 files').waitFor()
  await row('large.bin').waitFor({ state: 'detached' })
  await grid.getByRole('button', { name: 'Count size of old charts' }).click()
  await grid.getByRole('button', { name: /^7\.0 MB: 2 files\./ }).waitFor()
  await row('old charts').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Delete')
  const question = page.getByRole('alertdialog', { name: 'Delete this folder?' })
  await question.getByText(/\(3 files, 7\.0 MB\)/).waitFor()
  await question.getByRole('button', { name: 'Delete' }).press('Enter')
  await row('old charts').waitFor({ state: 'detached' })
  expect(await page.getByText('There is no file').count()).toBe(0)

  // The connection breaks: the screen stays, and running work continues.
  await page.context().setOffline(true)
  await page
    .locator('input[type=file]')
    .last()
    .setInputFiles([file('late.txt', 'late')])
  await uploads.getByText('offline, resumes automatically').waitFor()
  await row('pilot-notes.txt').waitFor()
  await page.context().setOffline(false)
  await row('late.txt').waitFor()
  expect(await page.title()).toBe('charts · Chartroom')

  // An unreachable host is shown without a channel, too.
  const goTo = (path: string) => page.evaluate(to => history.pushState({}, '', to), path)
  await page.getByLabel('Realtime: off', { exact: true }).waitFor()
  await page.route(/\/(storage|auth)\/v1\//, route => route.abort())
  // A folder that was not read yet: the list of buckets is not read again within seconds.
  await goTo('/files/charts?path=unread')
  await page.getByLabel('Realtime: unreachable').waitFor()
  await page.getByText(/^Can’t reach .*You stay signed in/).waitFor()
  await page.unroute(/\/(storage|auth)\/v1\//)

  // A link to a missing file reports that, and an invalid folder is not an upload target.
  await goTo('/files/charts?file=gone.txt')
  await page.getByText('There is no file “gone.txt” in this folder').waitFor()
  await page.getByLabel('Realtime: off', { exact: true }).waitFor()
  await goTo('/files/charts?path=..%2Fup')
  await page.getByRole('heading', { name: 'Invalid folder name “../up”' }).waitFor()
  workbench.watch.allow(/400 \(Bad Request\).*emptyFolderPlaceholder/)
  await goTo('/files/Charts')
  await page.getByRole('heading', { name: 'Bucket “Charts” not found' }).waitFor()
  expect(await page.getByRole('button', { name: 'Upload' }).count()).toBe(0)
})

test('a paused upload of 60 MB continues after a restart of the backend and a reload', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(/Failed to load resource/, /ERR_|WebSocket/)
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-upload-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const bytes = randomBytes(60_000_000)
  await writeFile(join(folder, 'survey.bin'), bytes)
  await workbench.openAs(harbour.account('skipper'), '/files/charts')
  await page.getByRole('link', { name: 'My files' }).click()
  const uploads = page.getByRole('region', { name: 'Uploads' })
  const choose = async () => {
    await page.getByRole('row', { name: 'pilot-notes.txt', exact: true }).waitFor()
    await page.locator('input[type=file]').last().setInputFiles(join(folder, 'survey.bin'))
  }
  const offsets: number[] = []
  page.on('request', request => {
    const offset = request.headers()['upload-offset']
    if (request.method() === 'PATCH' && offset !== undefined) offsets.push(Number(offset))
  })

  // The fifth part is held back, so that the upload is in the middle.
  await fetch(`${harbour.url}/_chartroom/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      faults: [{ when: { family: 'storage', method: 'PATCH', from: 5 }, do: { hold: 'request' } }],
    }),
  })
  await choose()
  await expect.poll(() => offsets.length).toBe(5)
  await uploads.getByRole('button', { name: 'Pause survey.bin' }).click()
  await uploads.getByRole('button', { name: 'Resume survey.bin' }).waitFor()
  await harbour.stop()
  await harbour.start()
  await page.reload()
  await choose()
  await uploads.getByText('1 of 1 file').waitFor()
  // What the backend had is not sent again; of the held part it may have a beginning.
  expect(offsets[4]).toBeGreaterThan(20_000_000)
  expect(Math.min(...offsets.slice(5))).toBeGreaterThanOrEqual(offsets[4] ?? Infinity)

  const row = page.getByRole('grid').getByRole('row', { name: 'survey.bin', exact: true })
  const downloading = page.waitForEvent('download')
  await row.getByRole('button', { name: 'Download survey.bin' }).click()
  const digest = createHash('sha256')
  for await (const chunk of await (await downloading).createReadStream()) digest.update(chunk as Uint8Array)
  expect(digest.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
})
