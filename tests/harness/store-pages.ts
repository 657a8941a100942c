// Pages with a store of recordings, in a separate browser profile, without a backend.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { browserForTests } from '../../scripts/chromium.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import type { ReplayableTrace } from '../../src/trace/format/trace-source.ts'
import { CHROMIUM_FLAGS } from './browser.ts'
import { bundled } from './bundled.ts'

/** The page's modules and its worker, by their paths. */
async function bundle() {
  const outputs = await bundled({ rollupOptions: { input: 'tests/harness/store-page.ts' } })
  const files = new Map<string, string>()
  let entry = ''
  for (const part of outputs) {
    files.set(`/${part.fileName}`, part.type === 'chunk' ? part.code : String(part.source))
    if (part.type === 'chunk' && part.isEntry) entry = `/${part.fileName}`
  }
  return { files, entry }
}

export interface StorePages {
  readonly context: BrowserContext
  /** `prepare` runs in the page before anything else. */
  open(options?: object, prepare?: () => void): Promise<Page>
  /** A page of another origin, with empty storage that is limited to this many bytes. */
  openFull(quota: number, options?: object): Promise<Page>
  stop(): Promise<void>
}

export async function openStorePages(): Promise<StorePages> {
  const executablePath = await browserForTests()
  const { files, entry } = await bundle()
  const server: Server = createServer(({ url = '/' }, response) => {
    const code = files.get(new URL(url, 'http://x').pathname)
    response.setHeader('content-type', code === undefined ? 'text/html' : 'text/javascript')
    response.end(
      code ?? `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${entry}"></script>`,
    )
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const profile = await mkdtemp(join(tmpdir(), 'chartroom-profile-'))
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: CHROMIUM_FLAGS })
  const { port } = server.address() as AddressInfo
  const goTo = async (page: Page, origin: string, options: object) => {
    await page.goto(`${origin}/?options=${encodeURIComponent(JSON.stringify(options))}`)
    await page.waitForFunction(() => 'page' in window)
    return page
  }
  return {
    context,
    async open(options = {}, prepare) {
      const page = await context.newPage()
      if (prepare) await page.addInitScript(prepare)
      return goTo(page, `http://127.0.0.1:${port}`, options)
    },
    async openFull(quotaSize, options = {}) {
      const origin = `http://localhost:${port}`
      const page = await context.newPage()
      await page.goto(`${origin}/empty`)
      const session = await context.newCDPSession(page)
      await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize })
      return goTo(page, origin, options)
    },
    async stop() {
      await context.close()
      server.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

/** A stored recording, read here. */
export async function storedTrace(page: Page, id: string): Promise<ReplayableTrace> {
  const text = await page.evaluate(of => window.page.file(of), id)
  const read = await readTrace(new Uint8Array(Buffer.from(text, 'base64')))
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}
