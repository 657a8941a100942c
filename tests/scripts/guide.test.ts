// The guide says what the sources do: its made parts are those of now.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePage, PAGES } from '../../scripts/guide-parts.ts'
import { root } from '../../scripts/tool.ts'

test.each(PAGES)('%s is up to date (npm run docs makes it so)', async page => {
  expect(await readFile(join(root, page), 'utf8')).toBe(await makePage(page))
})
