// Fixture of the tests that look at recordings: one page of a worker, which opens them in the viewer.
import { basename } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { ReplayableTrace } from '../../src/trace/format/trace-source.ts'
import { withBrowser } from './browser.ts'
import { ConsolePage } from './console-page.ts'
import { keepPicture } from './page-watch.ts'
import { PATIENCE } from './shared-page.ts'
import { viewerWith } from './viewer-file.ts'

interface ViewerOptions extends Pick<BrowserContextOptions, 'viewport'> {
  /** Of the file with the recording. */
  readonly name?: string
  /** Where the console opens it, as in a URL. */
  readonly place?: Readonly<Record<string, string>>
}

export class ViewerPage extends ConsolePage {
  readonly #file: string

  /** @param file a name for its files that no other test uses */
  constructor(page: Page, file: string) {
    super(page)
    this.#file = file
  }

  /** A parameter of the address, which is the place in the console. */
  param(name: string): string | null {
    return new URL(this.page.url()).searchParams.get(name)
  }

  /** Opens a recording; returns once the log has rows. */
  async open(trace: ReplayableTrace, { viewport, name, place = {} }: ViewerOptions = {}): Promise<void> {
    if (viewport) await this.page.setViewportSize(viewport)
    await this.page.goto(`${await viewerWith(trace, this.#file, name)}?${new URLSearchParams(place)}`)
    await this.console.getByRole('row').first().waitFor()
  }
}

/** A renderer that has run the viewer before runs it in a fraction of the time. */
class SharedViewer {
  readonly #open: () => Promise<Page>
  #page: Promise<Page> | undefined

  constructor(open: () => Promise<Page>) {
    this.#open = open
  }

  async take(): Promise<Page> {
    const page = await (this.#page ??= this.#open())
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.emulateMedia({
      media: null,
      colorScheme: 'light',
      forcedColors: 'none',
      reducedMotion: 'reduce',
    })
    return page
  }

  async giveBack(page: Page, hasFailed: boolean): Promise<void> {
    if (hasFailed) {
      this.#page = undefined
      return page.context().close()
    }
    page.removeAllListeners()
    await page.evaluate(() => localStorage.clear())
    await page.goto('about:blank')
  }
}

/** A `test` with `viewer`, a page that opens recordings without a server. */
export const withViewer = withBrowser
  .extend('sharedViewer', { scope: 'worker' }, ({ browser }) => {
    return new SharedViewer(async () => {
      const permissions = ['clipboard-read', 'clipboard-write']
      const context = await browser.newContext({ offline: true, permissions })
      context.setDefaultTimeout(PATIENCE)
      return context.newPage()
    })
  })
  .extend('viewer', async ({ sharedViewer, task }, { onCleanup }) => {
    const page = await sharedViewer.take()
    const viewer = new ViewerPage(page, basename(task.file.name, '.test.ts'))
    onCleanup(async () => {
      const problems = viewer.watch.problems()
      const hasFailed = problems.length > 0 || task.result?.state === 'fail'
      if (hasFailed) await keepPicture(page, `${task.file.name} ${task.fullTestName}`)
      await sharedViewer.giveBack(page, hasFailed)
      if (problems.length > 0) throw new Error(`The page reported errors:\n${problems.join('\n')}`)
    })
    return viewer
  })
