// Takes the guide's pictures: a Chromium, pages of one size, and PNGs with few colors.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import sharp from 'sharp'
import { findChromium, noChromium } from '../chromium.ts'
import { root } from '../tool.ts'

export interface Studio {
  open(options?: BrowserContextOptions): Promise<Page>
  /** Takes the picture `docs/images/NAME.png` if it was requested. */
  picture(page: Page, name: string): Promise<void>
  /** Runs one scene; if it fails, the other scenes still run. */
  scene(name: string, capture: () => Promise<void>): Promise<void>
  readonly problems: readonly string[]
  close(): Promise<void>
}

const WIDE = { width: 1440, height: 900 }
const PATIENCE_MS = 15_000
/**
 * Time until the requested view is drawn: canvases are drawn in later frames, and layouts come from a worker.
 */
const SETTLING_MS = 700

/** @throws Error if there is no Chromium */
export async function openStudio(wanted: readonly string[]): Promise<Studio> {
  const executablePath = await findChromium()
  if (executablePath === undefined) throw new Error(noChromium)
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-renderer-backgrounding',
    '--disable-background-networking',
    '--force-color-profile=srgb',
  ]
  const browser: Browser = await chromium.launch({ executablePath, args })
  const problems: string[] = []
  return {
    problems,
    async open(options = {}) {
      const context = await browser.newContext({
        viewport: WIDE,
        colorScheme: 'dark',
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        ...options,
      })
      context.setDefaultTimeout(PATIENCE_MS)
      // Pictures show the console without the legend of its first open.
      await context.addInitScript(() => localStorage.setItem('chartroom:console:legend-dismissed', 'true'))
      return context.newPage()
    },
    async picture(page, name) {
      await page.evaluate(() => document.fonts.ready)
      await page.waitForTimeout(SETTLING_MS)
      if (wanted.length > 0 && !wanted.includes(name)) return
      const bytes = await packed(await page.screenshot())
      await writeFile(join(root, `docs/images/${name}.png`), bytes)
      console.log(`${name.padEnd(18)} ${(bytes.length / 1000).toFixed(0).padStart(4)} kB`)
    },
    async scene(name, capture) {
      await capture().catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        problems.push(`${name}: ${message.split('\n').slice(0, 3).join(' ')}`)
      })
    },
    close: () => browser.close(),
  }
}

/** A palette is enough for flat surfaces and small type. */
const packed = (png: Buffer): Promise<Buffer> =>
  sharp(png).png({ palette: true, quality: 90, effort: 10, compressionLevel: 9 }).toBuffer()
