// The page that the tests of a worker share in turn: a renderer that has run the app before runs it in half
// the time.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** What can be set on an existing page, and reset again. */
export type PageLook = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'permissions'>

const LOOK: readonly string[] = ['viewport', 'colorScheme', 'permissions'] satisfies (keyof PageLook)[]
/** Timeout of waits on a busy machine, in milliseconds. */
export const PATIENCE = 60_000
const VIEWPORT = { width: 1280, height: 720 }
const EVENTS = [
  'console',
  'crash',
  'dialog',
  'download',
  'pageerror',
  'popup',
  'request',
  'response',
] as const

export const isLook = (options: BrowserContextOptions): options is PageLook =>
  Object.keys(options).every(key => LOOK.includes(key))

export class SharedPage {
  readonly #browser: Browser
  #page: Page | undefined
  #isTaken = false

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** Like new for this origin; undefined while it is in use. */
  async take(origin: string, { viewport, colorScheme, permissions }: PageLook): Promise<Page | undefined> {
    if (this.#isTaken) return undefined
    this.#isTaken = true
    this.#page ??= await this.#make()
    const page = this.#page
    await page.setViewportSize(viewport ?? VIEWPORT)
    // Without graphics hardware, animations cost a third of the processor's time.
    await page.emulateMedia({
      media: null,
      colorScheme: colorScheme ?? 'light',
      forcedColors: 'none',
      contrast: null,
      reducedMotion: 'reduce',
    })
    if (permissions) await page.context().grantPermissions([...permissions])
    // Per-tab data can only be reached from a page of the origin.
    await page.goto(`${origin}/_chartroom/config`)
    await page.evaluate(() => {
      sessionStorage.clear()
      window.name = ''
    })
    await page.goto('about:blank')
    return page
  }

  /** Whether it was this one. After a failure its condition is unknown: the next test gets another. */
  async giveBack(page: Page, origin: string, hasFailed: boolean): Promise<boolean> {
    if (page !== this.#page) return false
    if (hasFailed || !(await this.#clean(page, origin))) {
      this.#page = undefined
      await page.context().close()
    }
    this.#isTaken = false
    return true
  }

  async #make(): Promise<Page> {
    const context = await this.#browser.newContext({ reducedMotion: 'reduce', viewport: VIEWPORT })
    context.setDefaultTimeout(PATIENCE)
    return context.newPage()
  }

  /** False if the page can no longer be used, e.g. after a crash. */
  async #clean(page: Page, origin: string): Promise<boolean> {
    try {
      const context = page.context()
      for (const event of EVENTS) page.removeAllListeners(event)
      const others = context.pages().filter(other => other !== page)
      await Promise.all(others.map(other => other.close()))
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      // Products of later files have the same port, so also pages of the other name of this machine.
      await page.evaluate(() => sessionStorage.clear()).catch(() => undefined)
      await page.goto('about:blank')
      await context.setOffline(false)
      await context.clearPermissions()
      await context.clearCookies()
      const devtools = await context.newCDPSession(page)
      for (const own of [origin, origin.replace('127.0.0.1', 'localhost')])
        await devtools.send('Storage.clearDataForOrigin', { origin: own, storageTypes: 'all' })
      await devtools.detach()
      return true
    } catch {
      return false
    }
  }
}
