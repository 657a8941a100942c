// Tabs of one browser profile: bare pages with a client each, on the embedded backend whose clock the test
// moves.
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { startBackend, type Backend } from '../../backend/index.ts'
import { browserForTests } from '../../scripts/chromium.ts'
import type { ChartroomClient, Timings } from '../../src/public/index.ts'
import { CHEAP } from './backend.ts'
import { CHROMIUM_FLAGS } from './browser.ts'
import { bundled } from './bundled.ts'
import { freePort } from './free-port.ts'

declare global {
  interface Window {
    /** The client of the page. */
    tab: ChartroomClient
    /** Milliseconds by which the time of day is ahead. */
    ahead: number
  }
}

/** One request that spent a refresh token. */
export interface Spent {
  readonly page: Page
  readonly refreshToken: string
  status: number | undefined
}

export interface TabPages {
  readonly backend: Backend
  readonly context: BrowserContext
  /** Every request that spent a refresh token, by any tab. */
  readonly spent: readonly Spent[]
  /** A tab whose client has read the storage. */
  open(timings?: Partial<Timings>): Promise<Page>
  /** Moves the backend's clock ahead. */
  pass(ms: number): void
  stop(): Promise<void>
}

/** The library's modules by their addresses, as a page without a bundler would load them. */
async function bundle(): Promise<ReadonlyMap<string, string>> {
  const parts = await bundled({ lib: { entry: 'src/public/index.ts', formats: ['es'] } })
  return new Map(
    parts.flatMap(part => {
      if (part.type !== 'chunk') return []
      return [[part.isEntry ? '/client.js' : `/${part.fileName}`, part.code]]
    }),
  )
}

const pageOf = (key: string) => `<!doctype html><link rel="icon" href="data:,"><title>A tab</title>
<script type="module">
  import { createChartroomClient } from '/client.js'
  const timings = JSON.parse(new URLSearchParams(location.search).get('timings') ?? '{}')
  window.tab = createChartroomClient({ url: location.origin, key: ${JSON.stringify(key)}, timings })
</script>`

/** Before anything else runs: a time of day that a test can move. */
export function moveableClock() {
  window.ahead = 0
  const { now } = Date
  Date.now = () => now.call(Date) + window.ahead
}

export async function openTabPages(): Promise<TabPages> {
  const executablePath = await browserForTests()
  const modules = await bundle()
  let ahead = 0
  const backend = await startBackend({
    data: 'memory',
    auth: CHEAP,
    clock: { now: () => Date.now() + ahead },
    site: request => {
      const code = modules.get(new URL(request.url).pathname)
      const type = code === undefined ? 'text/html' : 'text/javascript'
      return new Response(code ?? pageOf(backend.publishableKey), { headers: { 'content-type': type } })
    },
  })
  const port = await freePort()
  const args = [...CHROMIUM_FLAGS, `--remote-debugging-port=${port}`]
  const browser = await chromium.launch({ executablePath, args })
  // Pages with focus emulation by the driver are visible, and a visible page never freezes.
  const attached = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true })
  const context = attached.contexts()[0] ?? (await attached.newContext())
  await context.addInitScript(moveableClock)
  return {
    backend,
    context,
    spent: watchSpending(context),
    async open(timings = {}) {
      const page = await context.newPage()
      await page.goto(`${backend.url}/?timings=${encodeURIComponent(JSON.stringify(timings))}`)
      await page.waitForFunction(() => (window.tab?.status().session.phase ?? 'booting') !== 'booting')
      return page
    },
    pass: ms => void (ahead += ms),
    async stop() {
      await browser.close()
      await backend.stop()
    },
  }
}

function watchSpending(context: BrowserContext): readonly Spent[] {
  const calls = new Map<unknown, Spent>()
  const spent: Spent[] = []
  context.on('request', request => {
    if (request.method() !== 'POST' || !request.url().includes('grant_type=refresh_token')) return
    const { refresh_token: refreshToken } = request.postDataJSON() as { refresh_token: string }
    const call: Spent = { page: request.frame().page(), refreshToken, status: undefined }
    calls.set(request, call)
    spent.push(call)
  })
  context.on('response', response => {
    const call = calls.get(response.request())
    if (call) call.status = response.status()
  })
  return spent
}
