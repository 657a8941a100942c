// Checks a built site: the page of each internal link exists, and so does its anchor.
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** @returns one line for each link that leads nowhere */
export async function deadLinks(site: string, base: string): Promise<string[]> {
  const pages = new Map<string, string>()
  for await (const file of glob('**/*.html', { cwd: site, exclude: ['console'] }))
    pages.set(file.replaceAll('\\', '/'), await readFile(join(site, file), 'utf8'))
  const anchors = new Map([...pages].map(([file, html]) => [file, idsOf(html)]))
  const dead = new Set<string>()
  for (const [file, html] of pages)
    for (const href of linksOf(html)) {
      const url = new URL(href, `http://site${base}${file}`)
      if (url.host !== 'site' || !url.pathname.startsWith(base)) continue
      const target = url.pathname.slice(base.length).replace(/(?<=^|\/)$/, 'index.html')
      // Files that are no pages are checked when they are bundled.
      if (!target.endsWith('.html') || target.startsWith('console/')) continue
      const known = anchors.get(target)
      const anchor = decodeURIComponent(url.hash.slice(1))
      if (!known || (anchor !== '' && !known.has(anchor))) dead.add(`${file}: ${href}`)
    }
  return [...dead].sort()
}

const idsOf = (html: string) => new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))
const linksOf = (html: string) =>
  new Set(
    [...html.matchAll(/<a\s[^>]*?href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&')),
  )
