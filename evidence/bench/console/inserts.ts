// The workbench with its console open while thousands of rows are inserted by others: tasks, blank frames, counts.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { findChromium, noChromium } from '../../../scripts/chromium.ts'
import type { Benchmark } from '../contract.ts'
import { describeTask, longestTaskOf } from './tasks.ts'

const INSERTS = 20_000
const FEW = 200
/** Rows of one request. */
const BATCH = 200
/** In ms, for everything before the inserts. */
const PATIENCE_MS = 120_000
/** In ms: a page on a busy machine receives a few hundred inserts a second. */
const RECEIVED_MS = 600_000
/** In ms: how long the page is watched after the last insert. */
const AFTER_MS = 5000

interface Product {
  readonly url: string
  readonly publishableKey: string
  readonly account: { readonly email: string; readonly password: string }
}

/** What a page showed while rows were inserted. */
interface Watched {
  readonly frames: number
  /** Frames in which a part of the log had no row. */
  readonly blankFrames: number
  /** In ms from the last insert that the page received until the table had the right number of rows. */
  readonly rowsAfter: number
  /** The same until the log had an event of each insert. */
  readonly eventsAfter: number
}

/** Prints for each sample what the page showed. */
export const consoleInserts: Benchmark = {
  name: 'console-inserts-20k',
  unit: 'ms',
  peer: `the same with ${FEW} inserts`,
  onlyWhenNamed: true,
  async measure(samples) {
    const measured = { ours: [] as number[], peer: [] as number[] }
    for (let at = 0; at < samples; at++) {
      measured.peer.push(await inserted(FEW))
      measured.ours.push(await inserted(INSERTS))
    }
    return measured
  },
}

/** The processor time of the longest task, in a new product and a new browser. */
async function inserted(count: number): Promise<number> {
  const executablePath = await findChromium()
  if (!executablePath) throw new Error(noChromium)
  const server = fork(join(import.meta.dirname, 'harbour.ts'))
  let browser: Browser | undefined
  try {
    const [product] = (await once(server, 'message')) as [Product]
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(PATIENCE_MS)
    await page.addInitScript(countInserts)
    await openTable(page, product)
    const { result, longest } = await longestTaskOf(page, async () => {
      await page.evaluate(watchFrames, count)
      await insert(product, count)
      await page.waitForFunction(wanted => window.inserts.received >= wanted, count, {
        timeout: RECEIVED_MS,
        polling: 1000,
      })
      await page.waitForTimeout(AFTER_MS)
      return page.evaluate(() => window.inserts.result())
    })
    console.error(`${count} inserts: ${describeTask(longest)}; ${describe(result)}`)
    if (Number.isNaN(result.rowsAfter + result.eventsAfter))
      throw new Error(`${AFTER_MS} ms after the last insert, the table or the log did not have all of them.`)
    return longest.thread
  } finally {
    await browser?.close()
    if (server.connected) server.disconnect()
  }
}

const describe = ({ frames, blankFrames, rowsAfter, eventsAfter }: Watched): string =>
  `${blankFrames} blank of ${frames} frames; after the last insert, ${rowsAfter.toFixed(0)} ms until the table ` +
  `and ${eventsAfter.toFixed(0)} ms until the log had all`

async function openTable(page: Page, { url, account }: Product): Promise<void> {
  await page.goto(`${url}/data/vessels`)
  const form = page.getByRole('form', { name: 'Sign in' })
  await form.getByLabel('Email').fill(account.email)
  await form.getByLabel('Password', { exact: true }).fill(account.password)
  await form.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('main').getByText('live', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Open the console' }).click()
  await page.getByRole('grid', { name: 'Event log' }).getByRole('row').nth(2).waitFor()
}

async function insert({ url, publishableKey, account }: Product, count: number): Promise<void> {
  const type = { apikey: publishableKey, 'content-type': 'application/json' }
  const post = async (path: string, headers: Record<string, string>, body: unknown) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response
  }
  const session = await post('/auth/v1/token?grant_type=password', type, account)
  const { access_token: token } = (await session.json()) as { readonly access_token: string }
  const headers = { ...type, authorization: `Bearer ${token}`, prefer: 'return=minimal' }
  for (let first = 0; first < count; first += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - first) }, (_, n) => ({
      name: `Vessel ${first + n}`,
      rig: 'ketch',
    }))
    await post('/rest/v1/vessels', headers, rows)
  }
}

declare global {
  interface Window {
    inserts: { received: number; last: number; result: () => Watched }
  }
}

/** In the page, before its scripts: counts the inserts that sockets receive. */
function countInserts(): void {
  const inserts = {
    received: 0,
    last: 0,
    result: (): Watched => {
      throw new Error('Nothing is watched.')
    },
  }
  window.inserts = inserts
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      this.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string' || !data.includes('"postgres_changes"') || !data.includes('"INSERT"'))
          return
        inserts.received += 1
        inserts.last = performance.now()
      })
    }
  }
}

/** In the page: looks at the log and at the table in each frame, until both have `count` rows more. */
function watchFrames(count: number): void {
  const log = document.querySelector('[aria-label="Event log"]')
  const table = [...document.querySelectorAll('main [role=grid]')].find(element => element !== log)
  if (!log || !table) throw new Error('The page has no log or no table.')
  const rowsOf = (grid: Element) => Number(grid.getAttribute('aria-rowcount'))
  const all = { events: rowsOf(log) + count, rows: rowsOf(table) + count }
  const state = { frames: 0, blankFrames: 0, eventsAt: Number.NaN, rowsAt: Number.NaN }
  const isBlankAt = (share: number) => {
    const { left, top, width, height } = log.getBoundingClientRect()
    return !document.elementFromPoint(left + width / 2, top + height * share)?.closest('[role=row]')
  }
  const look = (now: number) => {
    requestAnimationFrame(look)
    state.frames += 1
    if ([0.3, 0.6, 0.9].some(isBlankAt)) state.blankFrames += 1
    if (Number.isNaN(state.eventsAt) && rowsOf(log) >= all.events) state.eventsAt = now
    if (rowsOf(table) !== all.rows) state.rowsAt = Number.NaN
    else if (Number.isNaN(state.rowsAt)) state.rowsAt = now
  }
  requestAnimationFrame(look)
  window.inserts.result = () => ({
    frames: state.frames,
    blankFrames: state.blankFrames,
    rowsAfter: state.rowsAt - window.inserts.last,
    eventsAfter: state.eventsAt - window.inserts.last,
  })
}
