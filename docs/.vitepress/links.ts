// Links and pictures of the Markdown files as the site shows them: links to pages, plain text in place of links to
// other files of the repository, which has no address, and pictures that open in full size.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { addressOf } from './pages.ts'

interface Env {
  readonly path: string
  /** Of the file itself, where the page has another path. */
  readonly realPath?: string
}

/**
 * The address on the site; `undefined` for a file that is not on it.
 * @param root the folder of package.json
 * @throws Error for a link to a file that does not exist
 */
export function siteAddress(href: string, file: string, root: string): string | undefined {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(href) ?? []
  if (path === '' || path.startsWith('/') || /^[a-z][a-z\d+.-]*:/i.test(path)) return href
  const target = resolve(dirname(file), decodeURI(path))
  const docs = join(root, 'docs') + sep
  if (!existsSync(target)) throw new Error(`${relative(root, file)} links to ${href}, which does not exist.`)
  if (!target.startsWith(docs) || !target.endsWith('.md')) return undefined
  const inDocs = relative(docs, target).replaceAll('\\', '/')
  return addressOf(inDocs.slice(0, -'.md'.length)) + rest
}

/** Rewrites links, and wraps pictures in a link to the picture. */
export function installSiteLinks(md: MarkdownRenderer, root: string): void {
  md.core.ruler.push('site_links', state => {
    const { realPath, path } = state.env as Env
    for (const block of state.tokens) {
      let isOnSite = true
      if (block.children === null) continue
      block.children = block.children.filter(token => {
        if (token.type === 'link_close') return isOnSite
        const href = token.type === 'link_open' ? token.attrGet('href') : null
        if (href === null) return true
        const address = siteAddress(href, realPath ?? path, root)
        isOnSite = address !== undefined
        if (address !== undefined) token.attrSet('href', address)
        return isOnSite
      })
    }
  })
  md.renderer.rules.image = (tokens, index, _options, env: Env) => {
    const token = tokens[index]
    const src = token?.attrGet('src') ?? ''
    const file = resolve(dirname(env.realPath ?? env.path), src)
    const { width, height } = sizeOf(file)
    const alt = md.utils.escapeHtml(token?.content ?? '')
    const from = src.startsWith('.') ? src : `./${src}`
    return `<Picture src="${from}" alt="${alt}" width="${width}" height="${height}" />`
  }
}

/** Pixels of a PNG or SVG file, so that the text below does not move when it is loaded. */
function sizeOf(file: string): { readonly width: number; readonly height: number } {
  const data = readFileSync(file)
  if (file.endsWith('.png')) return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) }
  const [, width, height] = /^<svg[^>]* width="(\d+)" height="(\d+)"/.exec(data.toString()) ?? []
  if (width === undefined) throw new Error(`${file} is no PNG, and no SVG with a size.`)
  return { width: Number(width), height: Number(height) }
}

/** The anchor of a heading, as GitHub makes it: links work in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
