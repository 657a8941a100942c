// Links and pictures of the Markdown files as the site shows them: links to pages, plain text in place of links to
// other files of the repository, which has no address, and pictures that open in full size.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { siteAddress } from './addresses.ts'

interface Env {
  readonly path: string
  /** Of the file itself, where the page has another path. */
  readonly realPath?: string
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
