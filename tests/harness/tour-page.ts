// The tour's page in a browser, on a copy of the example that a test may change.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { root } from '../../scripts/tool.ts'

const EXAMPLE = join(root, 'examples/tour')

/** Copies the example, with shorter passes and squalls; ends with the returned function. */
export async function copyTour(): Promise<{ readonly folder: string; readonly remove: () => Promise<void> }> {
  // Within the project, so that it finds its dependencies; Vite does not watch test-results.
  await mkdir(join(root, '.tour'), { recursive: true })
  const around = await mkdtemp(join(root, '.tour/'))
  const folder = join(around, 'mended')
  await cp(EXAMPLE, folder, { recursive: true, filter: from => !from.endsWith('.test.ts') })
  // Not for reading along, so passes and squalls may be short.
  await change(join(folder, 'harbour.ts'), 'PASS_LIFE_MS = 12_000', 'PASS_LIFE_MS = 4_000')
  await change(join(folder, 'watch-page.tsx'), 'SQUALL_MS = 10_000', 'SQUALL_MS = 3_000')
  return { folder, remove: () => rm(around, { recursive: true }) }
}

/** As the guide describes it, in its own text. */
export async function mendTour(folder: string): Promise<void> {
  const guide = await readFile(join(root, 'docs/guide/tour.md'), 'utf8')
  const [wrong, right] = [...guide.matchAll(/^```ts\n(.*)\n```$/gm)].map(([, line = '']) => line)
  await change(join(folder, 'session.ts'), wrong ?? '', right ?? '')
}

async function change(file: string, from: string, to: string): Promise<void> {
  const source = await readFile(file, 'utf8')
  expect(source.split(from)).toHaveLength(2)
  await writeFile(file, source.replace(from, to))
}

export const consoleOf = (page: Page) => page.getByRole('region', { name: 'Console', exact: true })
export const guideOf = (page: Page) => page.getByRole('region', { name: 'Tour' })
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).press('Enter')

/** The step is marked as done; shows the next one. */
export async function nextDone(page: Page): Promise<void> {
  await guideOf(page).getByText('✓ Done').waitFor()
  await guideOf(page).getByRole('button', { name: 'Next' }).press('Enter')
}

export async function openTrace(page: Page, file: string): Promise<void> {
  await consoleOf(page).waitFor()
  const button = consoleOf(page).getByRole('button', { name: 'Open a trace file' })
  const more = consoleOf(page).getByRole('button', { name: 'More', exact: true })
  await button.or(more).first().waitFor()
  const isInMenu = await more.isVisible()
  const choosing = page.waitForEvent('filechooser')
  if (isInMenu) await more.press('Enter')
  await (isInMenu ? page.getByRole('menuitem', { name: 'Open a trace file' }) : button).press('Enter')
  await (await choosing).setFiles(file)
  await page.getByRole('button', { name: 'Close file' }).waitFor()
}

export async function haveSquall(page: Page): Promise<void> {
  await press(page, 'Begin the watch')
  await page.getByText('Mary is on watch.').waitFor()
  await press(page, 'Squall: 10 s of silence')
}
