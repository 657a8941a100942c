// Tables of results in pages of the documentation, each between its own markers.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { root } from './tool.ts'

export type Cells = readonly string[]

/** Identifies a row by its cells; undefined if the table should not have it. */
export type KeyOf = (cells: Cells) => string | undefined

const firstCell: KeyOf = ([first]) => first

interface Table {
  /** Relative to the project's folder; defaults to docs/compatibility.md. */
  readonly page?: string
  /** Defaults to the first cell. */
  readonly keyOf?: KeyOf
}

const COMPATIBILITY = 'docs/compatibility.md'

/**
 * Replaces rows of the table between `<!-- made: NAME -->` and the next `<!-- end -->`; the others stay. `order`
 * has the keys of all rows that the table can have.
 * @throws Error if the page has no such markers
 */
export async function updateTable(
  name: string,
  columns: Cells,
  rows: readonly Cells[],
  order: readonly string[],
  { page = COMPATIBILITY, keyOf = firstCell }: Table = {},
): Promise<void> {
  const merged = mergeRows(rows, await readTable(name, page), order, keyOf)
  const lines = [columns, columns.map(() => '---'), ...merged]
  const table = lines.map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
  const path = join(root, page)
  const text = (await readFile(path, 'utf8')).replace(
    placeOf(name),
    (_, start: string, _part: string, end: string) => `${start}\n${table.join('\n')}\n\n${end}`,
  )
  await writeFile(path, await format(text, { ...(await resolveConfig(path)), parser: 'markdown' }))
}

/**
 * Returns the rows of the table without its head.
 * @throws Error if the page has no markers of this name
 */
export async function readTable(name: string, page = COMPATIBILITY): Promise<Cells[]> {
  const place = placeOf(name).exec(await readFile(join(root, page), 'utf8'))
  if (!place) throw new Error(`${page} has no place for the table "${name}".`)
  const [, , part = ''] = place
  const lines = [...part.matchAll(/^\|(.*)\|$/gm)].slice(2)
  return lines.map(([, cells = '']) =>
    cells.split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|')),
  )
}

/** Returns the new rows and those of the old ones that have no new one, in the order of their keys. */
export function mergeRows(
  rows: readonly Cells[],
  old: readonly Cells[],
  order: readonly string[],
  keyOf: KeyOf = firstCell,
): Cells[] {
  return order.flatMap(key => [...rows, ...old].filter(cells => keyOf(cells) === key).slice(0, 1))
}

const placeOf = (name: string) => new RegExp(`(<!-- made: ${name} -->\\n)([\\s\\S]*?)(<!-- end -->)`)
