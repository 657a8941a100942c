// The pages of the site: the Markdown files in docs, their addresses, and the sidebar.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReferencePage } from '../../../scripts/api-docs/reference.ts'
import { GROUPS, LISTED } from './navigation.ts'

/** An item of VitePress's sidebar. */
interface SidebarItem {
  readonly text: string
  readonly link?: string
  readonly collapsed?: boolean
  readonly items?: SidebarItem[]
}

/** Paths of all Markdown files below `docs`, except templates of pages, without `.md`. */
export function markdownFiles(docs: string): readonly string[] {
  return globSync('**/*.md', { cwd: docs, exclude: name => name.startsWith('.') || name.includes('[') })
    .map(file => file.replaceAll('\\', '/').replace(/\.md$/, ''))
    .sort()
}

/** The page of a file, where they differ: a README is the page of its folder, as on GitHub. */
export const REWRITES = {
  'guide/README.md': 'guide/index.md',
  'machines/README.md': 'machines/index.md',
  'api.md': 'api/index.md',
} as const

type Rewritten = keyof typeof REWRITES
const isRewritten = (file: string): file is Rewritten => Object.hasOwn(REWRITES, file)

/** Address of the page of a file in `docs`, without `.md`: `/machines/` for `machines/README`. */
export function addressOf(path: string): string {
  const file = `${path}.md`
  return `/${(isRewritten(file) ? REWRITES[file] : file).replace(/(?:^|(?<=\/))index\.md$|\.md$/, '')}`
}

/** @throws Error for a page of the navigation that does not exist */
export function sidebarOf(docs: string, reference: readonly ReferencePage[]): SidebarItem[] {
  const files = markdownFiles(docs)
  const groups = GROUPS.map(({ title, pages }) => ({
    text: title,
    collapsed: false,
    items: pages.map(([path, text]) => {
      if (!files.includes(path))
        throw new Error(`evidence/site/.vitepress/navigation.ts: there is no docs/${path}.md.`)
      return { text, link: addressOf(path) }
    }),
  }))
  const inNavigation = new Set(GROUPS.flatMap(({ pages }) => pages.map(([path]) => path)))
  const listed = (folder: 'machines' | 'decisions') =>
    files.filter(path => path.startsWith(`${folder}/`) && !inNavigation.has(path))
  return [
    ...groups,
    {
      text: LISTED.api,
      collapsed: true,
      items: reference.map(({ slug, title }) => ({ text: title, link: `/api/${slug}` })),
    },
    {
      text: LISTED.machines,
      collapsed: true,
      items: listed('machines').map(path => ({
        text: path.slice('machines/'.length),
        link: addressOf(path),
      })),
    },
    {
      text: LISTED.decisions,
      collapsed: true,
      items: listed('decisions').map(path => ({
        text: titleOf(join(docs, `${path}.md`)),
        link: addressOf(path),
      })),
    },
  ]
}

/** The first heading of a page. */
function titleOf(file: string): string {
  const title = /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]
  if (title === undefined) throw new Error(`${file} has no heading.`)
  return title.replaceAll('`', '')
}
