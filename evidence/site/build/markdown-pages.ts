// What coding agents read of the documentation site: each page as Markdown next to its HTML, and llms.txt, which lists
// them.
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import type { ReferencePage } from '../../../scripts/api-docs/reference.ts'
import { siteAddress } from '../.vitepress/addresses.ts'
import { GROUPS, LISTED } from '../.vitepress/navigation.ts'
import { addressOf, markdownFiles } from '../.vitepress/pages.ts'

export interface MarkdownPage {
  readonly title: string
  readonly text: string
}

/** Pages by their path on the site, e.g. `guide/index.md`. */
export type MarkdownPages = ReadonlyMap<string, MarkdownPage>

/**
 * The text of every page, with links between these files.
 * @param root the folder of package.json
 * @throws Error for a link to a file that does not exist
 */
export function markdownPages(root: string, reference: readonly ReferencePage[]): MarkdownPages {
  const docs = join(root, 'docs')
  const sources = [
    ...markdownFiles(docs).map(path => ({
      address: addressOf(path),
      file: join(docs, `${path}.md`),
      text: readFileSync(join(docs, `${path}.md`), 'utf8'),
    })),
    ...reference.map(({ slug, content }) => ({
      address: `/api/${slug}`,
      file: join(docs, `api/${slug}.md`),
      text: content,
    })),
  ]
  return new Map(
    sources.map(({ address, file, text }) => {
      const path = pathOf(address)
      const plain = plainText(text, href => {
        const target = siteAddress(href, file, root)
        return target?.startsWith('/') === true ? relativeTo(path, target) : target
      })
      return [path, { title: titleOf(plain), text: plain }]
    }),
  )
}

/** The file of a page: `/machines/` is `machines/index.md`. */
const pathOf = (address: string): string => `${address.slice(1)}${address.endsWith('/') ? 'index' : ''}.md`

function relativeTo(path: string, address: string): string {
  const [page = '', anchor] = address.split('#')
  return `${posix.relative(posix.dirname(path), pathOf(page))}${anchor === undefined ? '' : `#${anchor}`}`
}

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? ''

const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/
const CODE = /^( *(`{3,})[^\n]*\n[\s\S]*?^ *\2)$/m
const IMAGE = /^!\[[^\]]*\]\([^)]*\)$/gm
const LINK = /(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g
/** Lines of HTML alone, such as components of the site, and the anchors that the reference names. */
const MARKUP = /^ *<.*>$|(?<=^#.*) \{#[^}]*\}$/gm

/** @param rewrite the address of a link; undefined for a file that is not on the site, which becomes plain text */
function plainText(text: string, rewrite: (href: string) => string | undefined): string {
  const prose = (part: string) =>
    part
      .replaceAll(MARKUP, '')
      .replaceAll(IMAGE, '')
      .replaceAll(LINK, (_, words: string, href: string) => {
        const target = rewrite(href)
        return target === undefined ? words : `[${words}](${target})`
      })
      .replaceAll(/\n{3,}/g, '\n\n')
  // The third part of each match is the fence.
  const parts = text.replace(FRONT_MATTER, '').split(CODE)
  return `${parts
    .map((part, at) => [prose(part), part, ''][at % 3])
    .join('')
    .trim()}\n`
}

const INTRODUCTION = `Every page of the documentation is also Markdown, at its address with \`.md\` in place of \`.html\`. Links here are relative to this file. The packages contain the guides of their version, an AGENTS.md and skills.`

/** The text of llms.txt; links are relative, so that it works under any base path. */
export function llmsText(description: string, pages: MarkdownPages): string {
  const named = GROUPS.map(({ title, pages: list }) => ({
    title,
    entries: list.map(([path, name]) => ({ path: pathOf(addressOf(path)), name })),
  }))
  const inNavigation = new Set(named.flatMap(({ entries }) => entries.map(({ path }) => path)))
  const others = (folder: string) =>
    [...pages]
      .filter(([path]) => path.startsWith(`${folder}/`) && !inNavigation.has(path))
      .map(([path, { title }]) => ({ path, name: title }))
  const sections = [
    ...named,
    { title: LISTED.api, entries: others('api') },
    // Clients may leave these out.
    { title: 'Optional', entries: [...others('machines'), ...others('decisions')] },
  ].map(({ title, entries }) => [`## ${title}`, entries.map(entry => lineOf(entry, pages)).join('\n')])
  return `${[`# Chartroom`, `> ${description}`, INTRODUCTION, ...sections.flat()].join('\n\n')}\n`
}

function lineOf(
  { path, name }: { readonly path: string; readonly name: string },
  pages: MarkdownPages,
): string {
  const about = firstSentence(pages.get(path)?.text ?? '')
  return `- [${name}](${path})${about === '' ? '' : `: ${about}`}`
}

/** The first sentence of the first paragraph that is no heading, list or table, without code blocks and markup. */
function firstSentence(text: string): string {
  const prose = text.split(CODE).filter((_, at) => at % 3 === 0)
  const paragraphs = prose.join('\n\n').split(/\n{2,}/)
  const plain = (paragraphs.find(part => /^[^#|>\-\s]/.test(part)) ?? '')
    .replaceAll(LINK, '$1')
    .replaceAll('\n', ' ')
    .replaceAll(/\*\*|(?<!\w)_|_(?!\w)/g, '')
  return (/^.*?[.?!](?= [^a-z]|$)/.exec(plain)?.[0] ?? plain).replace(/:$/, '.')
}

/** Writes llms.txt and the pages into the folder of the built site. */
export async function writeMarkdown(
  folder: string,
  description: string,
  pages: MarkdownPages,
): Promise<void> {
  for (const [path, { text }] of pages) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await writeFile(join(folder, 'llms.txt'), llmsText(description, pages))
}
