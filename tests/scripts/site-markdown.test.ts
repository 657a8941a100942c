// The Markdown of the documentation site, for agents: llms.txt and a file for each page.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf, markdownFiles } from '../../evidence/site/.vitepress/pages.ts'
import { reference } from '../../evidence/site/.vitepress/reference.ts'
import { llmsText, markdownPages, writeMarkdown } from '../../evidence/site/build/markdown-pages.ts'
import { root } from '../../scripts/tool.ts'

const docs = join(root, 'docs')
const pages = markdownPages(root, reference)
const textOf = (path: string) => pages.get(path)?.text ?? ''
const withoutCode = (text: string) => text.replaceAll(/^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1$/gm, '')
const linksIn = (text: string) =>
  [...withoutCode(text).matchAll(/\]\(([^)#\s]+)(?:#[^)\s]*)?\)/g)]
    .map(([, href = '']) => href)
    .filter(href => !/^[a-z]+:/.test(href))

test('each page of the site has a Markdown file next to its HTML', () => {
  const addresses = [
    ...markdownFiles(docs).map(addressOf),
    ...reference.map(({ slug }) => `/api/${slug}`),
  ].map(address => `${address.slice(1).replace(/(?<=^|\/)$/, 'index')}.md`)
  expect([...pages.keys()].sort()).toEqual(addresses.sort())
  expect(pages.has('guide/index.md')).toBe(true)
  expect(pages.has('api/index.md')).toBe(true)
})

test.each([...pages.keys()])('%s begins with its title and links only to other pages', path => {
  const text = textOf(path)
  expect(text).toMatch(/^# \S/)
  const dead = linksIn(text).filter(href => !pages.has(join(dirname(path), href).replaceAll('\\', '/')))
  expect(dead).toEqual([])
})

test('pages keep their code, tables and anchors, and lose pictures and markup of the site', () => {
  const console_ = textOf('guide/console.md')
  expect(console_).toContain("import { createControl } from '@chartroom/devtools/control'")
  expect(console_).toContain('| `failed`, `injected`, `noop`')
  expect(console_).toContain('](#attach)')
  expect(console_).not.toMatch(/!\[/)
  expect(textOf('index.md')).not.toMatch(/^(?:---|layout:|<main>)/m)
  expect(textOf('try.md')).not.toContain('<LiveConsole>')
  // The overview of the API is one folder deeper on the site than in docs.
  expect(textOf('api/react.md')).toContain('function useSession(): SessionStatus')
  expect(textOf('api/react.md')).not.toMatch(/^#.*\{#/m)
  expect(textOf('guide/index.md')).toContain('(console.md)')
})

// The format of llms.txt: a title, a summary as a quotation, text without headings, then sections of lists of links.
test('llms.txt has its format and names every page', () => {
  const text = llmsText('A client.', pages)
  const [title, summary, ...rest] = text.trim().split('\n\n')
  expect(title).toBe('# Chartroom')
  expect(summary).toBe('> A client.')
  const sections = text.split(/^## /m).slice(1)
  for (const section of sections) {
    const [, ...lines] = section.trim().split('\n')
    for (const line of lines) expect(line).toMatch(/^$|^- \[[^\]]+\]\([^)]+\.md\)(?:: \S.*[^:])?$/)
  }
  expect(rest[0]).not.toMatch(/^#/)
  expect(sections.at(-1)).toMatch(/^Optional\n/)
  expect(linksIn(text).sort()).toEqual([...pages.keys()].filter(path => path !== 'index.md').sort())
  expect(text).toContain(
    "- [The console](guide/console.md): The console shows a recording in progress, one from a file, or another app's: " +
      'the state of every machine, what happened, and why.\n',
  )
})

test('the files are written below the folder of the site', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-markdown-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'index.html'), '')
  await writeMarkdown(folder, 'A client.', pages)
  expect(await readFile(join(folder, 'llms.txt'), 'utf8')).toBe(llmsText('A client.', pages))
  expect(await readFile(join(folder, 'guide/cli.md'), 'utf8')).toBe(textOf('guide/cli.md'))
})
