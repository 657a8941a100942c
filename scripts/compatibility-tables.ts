// Writes tables of results into docs/compatibility.md, between the markers of each.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { root } from './tool.ts'

const PAGE = join(root, 'docs/compatibility.md')

/**
 * Replaces rows of the table between `<!-- made: NAME -->` and the next `<!-- end -->`, found by their first
 * cell; the others stay, in the order of `order`.
 */
export async function updateCompatibilityTable(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  order: readonly string[],
): Promise<void> {
  const part = placeOf(name).exec(await readFile(PAGE, 'utf8'))?.[0] ?? ''
  const old = [...part.matchAll(/^\|(.*)\|$/gm)].map(([, cells = '']) =>
    cells.split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|')),
  )
  const find = (first: string) => [...rows, ...old].filter(([cell]) => cell === first).slice(0, 1)
  await writeCompatibilityTable(name, columns, order.flatMap(find))
}

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
  const place = placeOf(name)
  const text = await readFile(PAGE, 'utf8')
  if (!place.test(text)) throw new Error(`docs/compatibility.md has no place for the table "${name}".`)
  const page = text.replace(
    place,
    (_, start: string, end: string) => `${start}\n${table.join('\n')}\n\n${end}`,
  )
  await writeFile(PAGE, await format(page, { ...(await resolveConfig(PAGE)), parser: 'markdown' }))
}

const placeOf = (name: string) => new RegExp(`(<!-- made: ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`)
