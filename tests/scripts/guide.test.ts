// The generated parts of the guide match the sources.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePage, PAGES } from '../../scripts/guide-parts.ts'
import { root } from '../../scripts/tool.ts'

test.each(PAGES)('%s is up to date (run npm run docs to regenerate)', async page => {
  expect(await readFile(join(root, page), 'utf8')).toBe(await makePage(page))
})
