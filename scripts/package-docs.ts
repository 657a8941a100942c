// The documents of the package: its README, its changes, and the guide, without images and with links that work.
import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { withInstalledProgram } from './package-program.ts'
import { root } from './tool.ts'

/** Markdown files by their path in the package; the guide keeps its paths. */
async function documents(): Promise<ReadonlyMap<string, string>> {
  const found = new Map([
    ['README.md', 'scripts/package/README.md'],
    ['CHANGELOG.md', 'CHANGELOG.md'],
    ['docs/trace-format.md', 'docs/trace-format.md'],
  ])
  for await (const file of glob('docs/guide/*.md', { cwd: root })) found.set(file.replaceAll('\\', '/'), file)
  return found
}

const IMAGE = /^!\[[^\]]*\]\([^)]*\)\n\n?/gm
const LINK = /(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g

/**
 * Writes the documents into `out`. Links to other files of the repository become plain text, since the package has
 * no address of the repository.
 */
export async function writeDocuments(out: string): Promise<void> {
  const pages = await documents()
  const shipped = new Set([...pages.keys(), 'LICENSE'])
  for (const [page, source] of pages) {
    const text = await readFile(join(root, source), 'utf8')
    const linked = text.replaceAll(IMAGE, '').replaceAll(LINK, (whole, words: string, address: string) => {
      if (/^(?:[a-z]+:|#)/.test(address)) return whole
      const [path = ''] = address.split('#')
      const file = normalize(join(dirname(page), path)).replaceAll('\\', '/')
      return shipped.has(file) ? whole : words
    })
    await mkdir(dirname(join(out, page)), { recursive: true })
    await writeFile(join(out, page), withInstalledProgram(linked))
  }
  await cp(join(root, 'LICENSE'), join(out, 'LICENSE'))
}
