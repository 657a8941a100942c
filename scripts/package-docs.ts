// The documents of the package: its README, its changes, and the guide, without images and with links that work.
import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { folderOf, type PackageName } from './package-names.ts'
import { withInstalledProgram } from './package-program.ts'
import { root } from './tool.ts'

/** Pages of the guide about the client; all others are about the tools. */
const OF_CLIENT: ReadonlySet<string> = new Set(
  [
    'account',
    'calls',
    'from-supabase-js',
    'lost-nothing',
    'offline',
    'react-native',
    'realtime',
    'requests',
    'ssr',
    'status',
    'uploads',
    'vue-svelte',
  ].map(name => `docs/guide/${name}.md`),
)

/** Markdown files by their path in the package; the guide keeps its paths. */
async function documents(name: PackageName): Promise<ReadonlyMap<string, string>> {
  const found = new Map([['CHANGELOG.md', 'CHANGELOG.md'], ...(await ownDocuments(folderOf(name)))])
  if (name === 'chartroom') {
    for (const page of OF_CLIENT) found.set(page, page)
  } else {
    found.set('docs/trace-format.md', 'docs/trace-format.md')
    for await (const file of glob('docs/guide/*.md', { cwd: root })) {
      const page = file.replaceAll('\\', '/')
      if (!OF_CLIENT.has(page)) found.set(page, page)
    }
  }
  return found
}

/** A package's README, and what coding agents read: AGENTS.md and the skills. */
export async function ownDocuments(folder: string): Promise<(readonly [page: string, source: string])[]> {
  const source = `scripts/package/${folder}`
  const pages = await Array.fromAsync(glob('**/*.md', { cwd: join(root, source) }))
  return pages.map(page => [page.replaceAll('\\', '/'), join(source, page)] as const)
}

const IMAGE = /^!\[[^\]]*\]\([^)]*\)\n\n?/gm
const LINK = /(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g

/**
 * The text without images. Links to other files of the repository become plain text, since packages have no address
 * of the repository.
 * @param isShipped whether the package has the file that a link names
 */
export const withoutLinks = (text: string, isShipped: (path: string) => boolean): string =>
  text.replaceAll(IMAGE, '').replaceAll(LINK, (whole, words: string, address: string) => {
    if (/^(?:[a-z]+:|#)/.test(address)) return whole
    const [path = ''] = address.split('#')
    return isShipped(path) ? whole : words
  })

/** Writes the documents into `out`. */
export async function writeDocuments(name: PackageName, out: string): Promise<void> {
  const pages = await documents(name)
  const shipped = new Set([...pages.keys(), 'LICENSE'])
  for (const [page, source] of pages) {
    const text = await readFile(join(root, source), 'utf8')
    const linked = withoutLinks(text, path =>
      shipped.has(normalize(join(dirname(page), path)).replaceAll('\\', '/')),
    )
    await mkdir(dirname(join(out, page)), { recursive: true })
    await writeFile(join(out, page), withInstalledProgram(linked))
  }
  await cp(join(root, 'LICENSE'), join(out, 'LICENSE'))
}
