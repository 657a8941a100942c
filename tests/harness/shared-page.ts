// The page in which the tests of a worker follow each other: a renderer that ran the app before runs it for half as much.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** What can be put on a page that is there, and taken from it again. */
export type PageLook = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'permissions'>

const LOOK: readonly string[] = ['viewport', 'colorScheme', 'permissions'] satisfies (keyof PageLook)[]
/** What is waited for may take so long on a busy machine, in milliseconds. */
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

  /** Like new for this origin; nothing while it is in use. */
  async take(origin: string, { viewport, colorScheme, permissions }: PageLook): Promise<Page | undefined> {
    if (this.#isTaken) return undefined
    this.#isTaken = true
    this.#page ??= await this.#make()
    const page = this.#page
    await page.setViewportSize(viewport ?? VIEWPORT)
    // Without graphics hardware, whatever breathes or turns costs a third of the processor's time.
    await page.emulateMedia({
      media: null,
      colorScheme: colorScheme ?? 'light',
      forcedColors: 'none',
      contrast: null,
      reducedMotion: 'reduce',
    })
    if (permissions) await page.context().grantPermissions([...permissions])
    // What belongs to the tab can be reached from a page of the origin alone.
    await page.goto(`${origin}/_chartroom/config`)
    await page.evaluate(() => {
      sessionStorage.clear()
      window.name = ''
    })
    await page.goto('about:blank')
    return page
  }

  /** Whether it was this one. After a failure nobody knows what is left of it: the next one gets another. */
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

  /** False where the page is no longer one to be used, as after a crash. */
  async #clean(page: Page, origin: string): Promise<boolean> {
    try {
      const context = page.context()
      for (const event of EVENTS) page.removeAllListeners(event)
      const others = context.pages().filter(other => other !== page)
      await Promise.all(others.map(other => other.close()))
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.goto('about:blank')
      await context.setOffline(false)
      await context.clearPermissions()
      await context.clearCookies()
      const devtools = await context.newCDPSession(page)
      await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
      await devtools.detach()
      return true
    } catch {
      return false
    }
  }
}
