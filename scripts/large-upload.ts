// `npm run large-upload`: uploads a large file in a browser, paused, interrupted by a restart of the backend
// and a reload of the page, and compares what was stored.
import { createHash, randomBytes, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { watchMemory } from './large-upload/memory.ts'
import { runScript } from './run-script.ts'
import { signIn } from './screenshots/harbour.ts'
import { openStudio } from './screenshots/studio.ts'
import { startProduct, type ProductProcess } from './walk/product.ts'

const USAGE = `Usage: npm run large-upload -- [--megabytes N]

Uploads a file of N MB (default 1024) to the embedded backend in a browser: pauses and resumes it, pauses it
again, restarts the backend, reloads the page, selects the file again, and compares the stored file.

Exit code: 0 the file is the same, was not sent twice, and memory stayed within its limits; 1 otherwise;
2 wrong usage.`

const MEGABYTE = 1024 ** 2

/** Above what each process had at the start; a part of an upload has 6 MB. */
const MEMORY_LIMIT = 300 * MEGABYTE

/** In ms. A gigabyte over a slow disk. */
const PATIENCE = 15 * 60_000

interface Flags {
  readonly megabytes: number
  readonly help: boolean
}

await runScript(USAGE, read, main)

function read(): Flags | string {
  const { values } = parseArgs({
    options: {
      megabytes: { type: 'string', default: '1024' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const megabytes = Number(values.megabytes)
  if (!Number.isSafeInteger(megabytes) || megabytes < 30 || megabytes > 2048)
    return `--megabytes must be a whole number from 30 to 2048, not "${values.megabytes}".`
  return { megabytes, help: values.help }
}

async function main({ megabytes }: Flags): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-large-upload-'))
  const studio = await openStudio([])
  let product: ProductProcess | undefined
  try {
    const file = join(folder, 'large.bin')
    const digest = await writeRandom(file, megabytes)
    const data = { dir: join(folder, 'data') }
    product = await startProduct(data)
    const page = await studio.open()
    page.setDefaultTimeout(PATIENCE)
    await signIn(page, product.url, product.skipper)
    const memory = await watchMemory(page)
    memory.watch('backend', product.pid)
    const offsets = watchOffsets(page)
    const start = performance.now()

    await choose(page, product.url, file)
    await reach(page, 0.2)
    await press(page, 'Pause')
    await press(page, 'Resume')
    await reach(page, 0.5)
    await press(page, 'Pause')
    const paused = await shareOf(page)
    console.log(`paused at ${percent(paused)} after ${seconds(start)}`)
    const port = Number(new URL(product.url).port)
    await product.stop()
    product = await startProduct({ ...data, port })
    memory.watch('backend after restart', product.pid)
    await page.reload()

    const before = offsets.length
    await choose(page, product.url, file)
    await page.getByRole('region', { name: 'Uploads' }).getByText('1 of 1 file').waitFor()
    const total = megabytes * MEGABYTE
    const resumedAt = (offsets[before] ?? 0) / total
    console.log(`resumed at ${percent(resumedAt)}, complete after ${seconds(start)}`)

    const stored = await digestOfStored(product)
    console.log(`sent      ${digest}\nstored    ${stored}`)
    const grown = memory.stop()
    for (const { name, growth } of grown) console.log(`${name.padEnd(22)} grew by ${mega(growth)}`)
    const problems = [
      ...(stored === digest ? [] : ['The stored file differs.']),
      ...(resumedAt >= paused - 0.05 ? [] : ['The upload did not resume where it was paused.']),
      ...grown
        .filter(({ growth }) => growth > MEMORY_LIMIT)
        .map(({ name }) => `${name}: memory grew by more than ${mega(MEMORY_LIMIT)}.`),
    ]
    for (const problem of problems) console.error(problem)
    return problems.length === 0 ? 0 : 1
  } finally {
    await studio.close()
    await product?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns its digest. */
async function writeRandom(path: string, megabytes: number): Promise<string> {
  const hash = createHash('sha256')
  const file = createWriteStream(path)
  for (let n = 0; n < megabytes; n++) {
    const bytes = randomBytes(MEGABYTE)
    hash.update(bytes)
    if (!file.write(bytes)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
  return hash.digest('hex')
}

async function choose(page: Page, url: string, file: string): Promise<void> {
  await page.goto(`${url}/files/charts`)
  await page.getByRole('link', { name: 'My files' }).click()
  await page.getByRole('row', { name: 'pilot-notes.txt' }).waitFor()
  await page.locator('input[type=file]').last().setInputFiles(file)
}

async function press(page: Page, name: 'Pause' | 'Resume'): Promise<void> {
  await page.getByRole('button', { name: `${name} large.bin` }).click()
}

/** From 0 to 1. */
async function shareOf(page: Page): Promise<number> {
  const bar = page.getByRole('progressbar', { name: /^large\.bin/ })
  return Number(await bar.getAttribute('aria-valuenow')) / 100
}

async function reach(page: Page, share: number): Promise<void> {
  while ((await shareOf(page)) < share) await page.waitForTimeout(100)
}

/** The offsets of the parts that the page sends, in order. */
function watchOffsets(page: Page): readonly number[] {
  const offsets: number[] = []
  page.on('request', request => {
    const offset = request.headers()['upload-offset']
    if (request.method() === 'PATCH' && offset !== undefined) offsets.push(Number(offset))
  })
  return offsets
}

async function digestOfStored({ requestsAs, skipper }: ProductProcess): Promise<string> {
  const request = await requestsAs(skipper)
  const { id } = (await (await request('GET', '/auth/v1/user')).json()) as { id: string }
  const { body } = await request('GET', `/storage/v1/object/authenticated/charts/${id}/large.bin`)
  const hash: Hash = createHash('sha256')
  if (body) for await (const chunk of body) hash.update(chunk)
  return hash.digest('hex')
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

function mega(bytes: number): string {
  return `${Math.round(bytes / MEGABYTE)} MB`
}
