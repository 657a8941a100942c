// The generated parts of the guide match the sources, and its pages are short.
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { makePage, PAGES } from '../../scripts/guide-parts.ts'
import { root } from '../../scripts/tool.ts'

test.each(PAGES)('%s is up to date (run npm run docs to regenerate)', async page => {
  expect(await readFile(join(root, page), 'utf8')).toBe(await makePage(page))
})

const WORDS_BEFORE_DETAILS = 900
/** Pages that have no details yet. */
const LONGER = ['benchmarks.md', 'cli.md', 'console.md', 'exactness.md', 'security.md', 'workbench.md']
const guides = globSync('*.md', { cwd: join(root, 'docs/guide') }).filter(
  page => !LONGER.includes(basename(page)),
)

test.each(guides)('the guide %s has what most readers need in its first 900 words', async page => {
  const text = await readFile(join(root, 'docs/guide', page), 'utf8')
  const [start = ''] = text.split(/^## Details$/m)
  expect(start.trim().split(/\s+/).length).toBeLessThanOrEqual(WORDS_BEFORE_DETAILS)
})
