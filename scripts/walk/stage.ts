// Looks at each state of the walk: pictures in every size and theme, axe, and whether the page is cut off.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp, { type OverlayOptions } from 'sharp'
import { isPage, SIZES, THEMES, type Size, type State, type Theme } from '../../tests/browser/states/state.ts'
import { axeComplaints, COLOR_RULES } from '../../tests/harness/axe.ts'
import type { Studio } from '../screenshots/studio.ts'

/** What was seen of one state. */
export interface Seen {
  readonly act: string
  readonly state: string
  readonly pictures: number
  readonly milliseconds: number
  /** Axe violations, and sizes at which the page scrolls sideways. */
  readonly findings: readonly string[]
  /** Why the state was not reached, or not seen. */
  readonly failure?: string
}

export interface Stage {
  readonly page: Page
  /** Reaches a state, and looks at it in each of its sizes and themes. Never rejects. */
  see(state: State): Promise<void>
}

const ALL: readonly Size[] = ['wide', 'medium', 'phone']

/** Until a layout has settled, and what waits for the pointer has opened. */
const SETTLING_MS = 250

/** Until a state is reached. */
export const PATIENCE_MS = 40_000

/** On the sheet, which shows all looks at one state. */
const SHEET_SCALE = 0.55

export interface StageOptions {
  readonly act: string
  readonly folder: string
  readonly onSeen: (seen: Seen) => void
}

export async function openStage(studio: Studio, options: StageOptions): Promise<Stage> {
  await mkdir(options.folder, { recursive: true })
  const page = await studio.open(CONTEXT)
  page.setDefaultTimeout(PATIENCE_MS)
  return { page, see: state => see(page, state, options) }
}

export const CONTEXT: BrowserContextOptions = {
  viewport: SIZES.wide,
  colorScheme: 'light',
  permissions: ['clipboard-read', 'clipboard-write'],
}

async function see(page: Page, state: State, { act, folder, onSeen }: StageOptions): Promise<void> {
  const { name, sizes = ALL, themes = THEMES, fits } = state
  const start = performance.now()
  const looks: Look[] = []
  const findings: string[] = []
  let failure: string | undefined
  try {
    await page.setViewportSize(SIZES[sizes[0] ?? 'wide'])
    await page.emulateMedia({ colorScheme: 'light' })
    const other = await state.reach()
    const seen = isPage(other) ? other : page
    // First, as a notice leaves after some seconds.
    for (const size of fits?.sizes ?? []) {
      await page.setViewportSize(size)
      await page.waitForTimeout(SETTLING_MS)
      const problems = (await fits?.problems(page)) ?? []
      findings.push(...problems.map(text => `${size.width}: ${String(text)} is covered or cut off`))
    }
    for (const size of sizes) {
      await seen.setViewportSize(SIZES[size])
      for (const theme of themes) {
        const { picture, complaints } = await look(seen, state, size, theme)
        looks.push({ size, theme, picture })
        findings.push(...complaints.map(text => `${SIZES[size].width} ${theme}: ${text}`))
      }
    }
    await page.setViewportSize(SIZES[sizes[0] ?? 'wide'])
    await state.leave?.()
  } catch (error) {
    failure = error instanceof Error ? firstLines(error.message) : String(error)
    await page.screenshot({ path: join(folder, `${act}-${name}-failed.png`) }).catch(() => undefined)
  }
  await save(join(folder, `${act}-${name}`), looks)
  const milliseconds = performance.now() - start
  onSeen({
    act,
    state: name,
    pictures: looks.length,
    milliseconds,
    findings,
    ...(failure !== undefined && { failure }),
  })
}

interface Look {
  readonly size: Size
  readonly theme: Theme
  readonly picture: Buffer
}

async function look(page: Page, { part }: State, size: Size, colorScheme: Theme) {
  await page.emulateMedia({ colorScheme })
  // The tooltip of what was pressed.
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(SETTLING_MS)
  const picture = await page.screenshot({ animations: 'disabled' })
  const complaints = size === 'medium' ? [] : await axeOf(page, part, colorScheme)
  const isCut = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  return { picture, complaints: isCut ? [...complaints, 'the page scrolls sideways'] : complaints }
}

/** All rules in one theme; in the other those that a theme can affect. */
async function axeOf(page: Page, part: string | undefined, colorScheme: Theme): Promise<readonly string[]> {
  const found = await axeComplaints(page, part, colorScheme === 'dark' ? COLOR_RULES : undefined)
  return found.map(([rule, ...elements]) => `${rule} ${elements.join(' ')}`)
}

/** Each picture, and a sheet with all of them: a row for each theme. */
async function save(path: string, looks: readonly Look[]): Promise<void> {
  for (const { size, theme, picture } of looks)
    await writeFile(`${path}-${SIZES[size].width}-${theme}.png`, picture)
  if (looks.length === 0) return
  const parts: OverlayOptions[] = []
  let [width, height] = [0, 0]
  for (const theme of THEMES) {
    const row = looks.filter(each => each.theme === theme)
    if (row.length === 0) continue
    let [left, tallest] = [0, 0]
    for (const { size, picture } of row) {
      const [w, h] = [SIZES[size].width, SIZES[size].height].map(px => Math.round(px * SHEET_SCALE))
      parts.push({ input: await sharp(picture).resize(w, h).toBuffer(), left, top: height })
      left += (w ?? 0) + 8
      tallest = Math.max(tallest, h ?? 0)
    }
    width = Math.max(width, left)
    height += tallest + 8
  }
  const sheet = sharp({ create: { width, height, channels: 3, background: '#888888' } })
  await sheet.composite(parts).jpeg({ quality: 82 }).toFile(`${path}.jpg`)
}

const firstLines = (text: string): string =>
  text
    .split('\n')
    .slice(0, 3)
    .map(line => line.trim())
    .join(' ')
