// Fixtures of the browser tests: the product on a free port, a Chromium, and pages that must stay free of errors.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { test as base } from 'vitest'
import type { Backend } from '../../backend/index.ts'
import { browserForTests, chromiumForTests } from '../../scripts/chromium.ts'
import { startHarbour, type HarbourOptions } from '../../scripts/harbour.ts'
import { CHEAP } from './backend.ts'
import { atFileEnd } from './endings.ts'
import { forAllFiles } from './left-behind.ts'
import { receiveMails } from './other-auth.ts'
import { keepPicture } from './page-watch.ts'
import { isLook, PATIENCE, SharedPage } from './shared-page.ts'
import { WorkbenchPage, type Credentials } from './workbench-page.ts'

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages live for seconds: V8 would spend a tenth of their cost on optimizing code.
  '--js-flags=--max-opt=1',
]

export interface HarbourFixtureOptions {
  /** Lifetime of an access token in seconds. */
  readonly tokenSeconds?: number
  /** `disk` keeps the data across `stop` and `start`, in a folder that is deleted when the file is done. */
  readonly data?: 'memory' | 'disk'
  /** Whether the headless shell does not suffice, e.g. for documents in a PDF viewer. */
  readonly needsChromium?: boolean
  /** Settings of the auth family that differ from the defaults. */
  readonly auth?: NonNullable<HarbourOptions['auth']>
  /** The database; PGlite computes on the thread of the tests. */
  readonly engine?: NonNullable<HarbourOptions['engine']>
}

/** The running product; the tests of one file share it. */
export class Harbour {
  readonly url: string
  readonly accounts: Backend['accounts']
  #backend: Backend | undefined
  readonly #restart: (port: number) => Promise<Backend>

  constructor(backend: Backend, restart: (port: number) => Promise<Backend>) {
    this.url = backend.url
    this.accounts = backend.accounts
    this.#backend = backend
    this.#restart = restart
  }

  /** The demo account whose address begins with the name. */
  account(name: 'skipper' | 'mate'): Credentials {
    const account = this.accounts.find(({ email }) => email.startsWith(`${name}@`))
    if (!account) throw new Error(`There is no demo account called ${name}`)
    return account
  }

  async stop(): Promise<void> {
    const backend = this.#backend
    this.#backend = undefined
    await backend?.stop()
  }

  /** Starts it again at the same address. */
  async start(): Promise<void> {
    if (this.#backend) return
    this.#backend = await this.#restart(Number(new URL(this.url).port))
    if (this.#backend.url !== this.url) throw new Error(`The port of ${this.url} was taken in the meantime`)
  }
}

const withBrowserAt = (find: () => Promise<string>) =>
  base.extend('browser', { scope: 'worker' }, async ({}, { onCleanup }): Promise<Browser> => {
    const browser = await forAllFiles(async () =>
      chromium.launch({ executablePath: await find(), args: CHROMIUM_FLAGS }),
    )
    onCleanup(() => browser.close())
    return browser
  })

/** A `test` with a browser that all files of a worker share: each test opens its own contexts. */
export const withBrowser = withBrowserAt(browserForTests)

/** As many as the users of a test. */
const withPages = (test: typeof withBrowser) =>
  test.extend('sharedPages', { scope: 'worker' }, ({ browser }) => [
    new SharedPage(browser),
    new SharedPage(browser),
  ])

/** A worker's products listen at the same port, one after the other: the browser keeps the code of their app. */
const withPort = (test: ReturnType<typeof withPages>) =>
  test.extend('address', { scope: 'worker' }, () => ({ port: 0 }))

const inShell = withPort(withPages(withBrowser))
const inChromium = withPort(withPages(withBrowserAt(chromiumForTests)))

/**
 * A `test` with the product and its pages as fixtures: `harbour`, `browser`, `workbench` (a page without a
 * session) and `openWorkbench` (opens another).
 */
export function withHarbour(options: HarbourFixtureOptions = {}) {
  return (options.needsChromium ? inChromium : inShell)
    .extend('harbour', { scope: 'file' }, async ({ address }) => {
      const dir = options.data === 'disk' ? await mkdtemp(join(tmpdir(), 'chartroom-')) : undefined
      const start = async (port: number) => {
        const backend = await startHarbour({
          port,
          data: dir ? { dir } : 'memory',
          auth: { ...CHEAP, ...options.auth },
          // This was done before the first file.
          isBuilt: true,
          ...(options.engine === undefined ? {} : { engine: options.engine }),
          ...(options.tokenSeconds === undefined ? {} : { accessTokenSeconds: options.tokenSeconds }),
        })
        await receiveMails(backend)
        return backend
      }
      const backend = await start(address.port)
      address.port = backend.port
      const harbour = new Harbour(backend, start)
      atFileEnd(async () => {
        await harbour.stop()
        if (dir) await rm(dir, { recursive: true, force: true })
      })
      return harbour
    })
    .extend('openWorkbench', async ({ browser, sharedPages, harbour, task }, { onCleanup }) => {
      const opened: WorkbenchPage[] = []
      onCleanup(async () => {
        const problems = opened.flatMap(({ watch }) => watch.problems())
        const failed = problems.length > 0 || task.result?.state === 'fail'
        if (failed)
          await Promise.all(
            opened.map(({ page }, n) => keepPicture(page, `${task.file.name} ${task.fullTestName} ${n + 1}`)),
          )
        for (const { page } of opened) {
          let isBack = false
          for (const shared of sharedPages) isBack ||= await shared.giveBack(page, harbour.url, failed)
          if (!isBack) await page.context().close()
        }
        if (problems.length > 0) throw new Error(`The page reported errors:\n${problems.join('\n')}`)
      })
      return async (context: BrowserContextOptions = {}): Promise<WorkbenchPage> => {
        let page: Page | undefined
        if (isLook(context))
          for (const shared of sharedPages) page ??= await shared.take(harbour.url, context)
        page ??= await (await browser.newContext({ reducedMotion: 'reduce', ...context })).newPage()
        page.setDefaultTimeout(PATIENCE)
        const workbench = new WorkbenchPage(page, harbour.url)
        opened.push(workbench)
        return workbench
      }
    })
    .extend('workbench', ({ openWorkbench }) => openWorkbench())
}
