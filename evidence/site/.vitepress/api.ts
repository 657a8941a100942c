// The tables of docs/api.md on the site: each name links to its description in the reference.
import { basename } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { slugOf, type ReferencePage } from '../../../scripts/api-docs/reference.ts'

type Token = Parameters<MarkdownRenderer['renderer']['renderToken']>[0][number]
type State = Parameters<Parameters<MarkdownRenderer['core']['ruler']['push']>[1]>[0]

/** Links the headings and the first column of each table. */
export function installApiLinks(md: MarkdownRenderer, pages: readonly ReferencePage[]): void {
  const bySlug = new Map(pages.map(page => [page.slug, page]))
  md.core.ruler.push('api_links', state => {
    const { realPath, path = '' } = state.env as { readonly path?: string; readonly realPath?: string }
    if (basename(realPath ?? path) !== 'api.md') return
    let page: ReferencePage | undefined
    for (const [index, token] of state.tokens.entries()) {
      const inner = state.tokens[index + 1]
      if (!inner?.children) continue
      const [first] = inner.children
      if (first?.type !== 'code_inline') continue
      if (token.type === 'heading_open') {
        page = bySlug.get(slugOf(first.content))
        if (page) inner.children = linked(state, inner.children, `/api/${page.slug}`)
      } else if (token.type === 'td_open' && state.tokens[index - 1]?.type === 'tr_open') {
        const anchor = page?.anchors.get(first.content)
        if (page && anchor !== undefined)
          inner.children = linked(state, inner.children, `/api/${page.slug}#${anchor}`)
      }
    }
  })
}

function linked(state: State, children: readonly Token[], href: string): Token[] {
  const open = new state.Token('link_open', 'a', 1)
  open.attrSet('href', href)
  return [open, ...children, new state.Token('link_close', 'a', -1)]
}
