// The guide: its generated parts match the sources, the targets of its links exist, and it is short.
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { anchorOf } from '../../evidence/site/.vitepress/addresses.ts'
import { markdownFiles } from '../../evidence/site/.vitepress/pages.ts'
import { makePage, PAGES } from '../../scripts/guide-parts.ts'
import { root } from '../../scripts/tool.ts'

test.each(PAGES)('%s is up to date (run npm run docs to regenerate)', async page => {
  expect(await readFile(join(root, page), 'utf8')).toBe(await makePage(page))
})

const docs = join(root, 'docs')
const withoutCode = (text: string) => text.replaceAll(/^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1$/gm, '')

/** The anchors of a page; a heading that occurs again gets a number. */
function anchorsOf(file: string): ReadonlySet<string> {
  const headings = withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (.+)$/gm)
  const anchors = new Set<string>()
  for (const [, heading = ''] of headings) {
    const anchor = anchorOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    anchors.add(anchors.has(anchor) ? `${anchor}-1` : anchor)
  }
  return anchors
}

/** The links of a page to files, and to headings of Markdown files, that do not exist. */
function deadLinksOf(file: string): string[] {
  const links = withoutCode(readFileSync(file, 'utf8')).matchAll(
    /\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g,
  )
  return [...links]
    .filter(([, path = '', anchor]) => {
      const target = path === '' ? file : resolve(dirname(file), decodeURI(path))
      if (!existsSync(target)) return true
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor)
    })
    .map(([link]) => link.slice(1))
}

test.each(markdownFiles(docs))('the files and headings that %s links to exist', page => {
  expect(deadLinksOf(join(docs, `${page}.md`))).toEqual([])
})

const guide = join(docs, 'guide')
/** As `wc -w` counts them. */
const countWords = (text: string) => text.trim().split(/\s+/).length
const textOf = (page: string) => readFileSync(join(guide, `${page}.md`), 'utf8')

test('the guide has at most 45,000 words', () => {
  const words = markdownFiles(guide).map(page => countWords(textOf(page)))
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(45_000)
})

test.each(markdownFiles(guide))('%s has at most 900 words before its details', page => {
  const [needed = ''] = textOf(page).split(/^## Details$/m)
  expect(countWords(needed)).toBeLessThanOrEqual(900)
})
