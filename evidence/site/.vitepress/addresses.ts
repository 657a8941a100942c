// Addresses of links and anchors of headings on the site.
import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { addressOf } from './pages.ts'

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

/** The anchor of a heading, as GitHub makes it: links work in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
