// Watches a page for what no test may overlook: uncaught errors and lines on the console's error level.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const folder = fileURLToPath(new URL('../../test-results', import.meta.url))

export interface PageWatch {
  /** From here on, problems whose text matches are part of the test, e.g. a stopped backend. */
  allow(...patterns: readonly RegExp[]): void
  /** The problems so far, except allowed ones. */
  problems(): readonly string[]
}

export function watchPage(page: Page): PageWatch {
  const allowed: RegExp[] = []
  const problems: string[] = []
  const keep = (text: string) => {
    if (!allowed.some(pattern => pattern.test(text))) problems.push(text)
  }
  page.on('pageerror', error => keep(`uncaught ${error.stack ?? error.message}`))
  page.on('crash', () => keep('the page crashed'))
  page.on('console', message => {
    const { url } = message.location()
    if (message.type() === 'error') keep(`console: ${message.text()} (${url})`)
  })
  return { allow: (...patterns) => void allowed.push(...patterns), problems: () => problems }
}

/** Saves a screenshot of a page for the analysis of a failed test. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (page.isClosed()) return
  await mkdir(folder, { recursive: true })
  const file = `${name.replace(/[^a-z0-9]+/gi, '-').slice(-120)}.png`
  await page.screenshot({ path: join(folder, file) }).catch(() => undefined)
}
