// Writes tables of results into docs/compatibility.md, between the markers of each.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { root } from './tool.ts'

const PAGE = join(root, 'docs/compatibility.md')

/**
 * Replaces the table between `<!-- made: NAME -->` and the next `<!-- end -->`.
 * @throws Error if the page has no such markers
 */
export async function writeCompatibilityTable(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const lines = [columns, columns.map(() => '---'), ...rows]
  const table = lines.map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
  const place = new RegExp(`(<!-- made: ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`)
  const text = await readFile(PAGE, 'utf8')
  if (!place.test(text)) throw new Error(`docs/compatibility.md has no place for the table "${name}".`)
  const page = text.replace(
    place,
    (_, start: string, end: string) => `${start}\n${table.join('\n')}\n\n${end}`,
  )
  await writeFile(PAGE, await format(page, { ...(await resolveConfig(PAGE)), parser: 'markdown' }))
}
