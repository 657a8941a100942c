// Reads rows from JSON: a list of objects, an object that contains one, or one object per line.
import { parseExact } from '../../text/exact-json.ts'
import type { Source, SourceRow } from './import-types.ts'

type Entry = { readonly value: unknown } | { readonly problem: string }

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) !== null

/**
 * The list in a file: the value itself, or its only list of objects, as in `{ "data": […] }` or GeoJSON
 * features.
 */
function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return [value]
  const lists = Object.values(value).filter(each => Array.isArray(each) && each.some(isObject))
  const [list] = lists
  return lists.length === 1 && Array.isArray(list) ? list : [value]
}

const problemOf = (error: unknown) => `This is not valid JSON: ${error instanceof Error ? error.message : ''}`

const lineEntry = (line: string): Entry => {
  try {
    return { value: parseExact(line) }
  } catch (error) {
    return { problem: problemOf(error) }
  }
}

/** Parses the whole text, or each line if that fails. */
function entriesOf(text: string): readonly Entry[] {
  try {
    return listIn(parseExact(text)).map(value => ({ value }))
  } catch (error) {
    const lines = text.split(/\r?\n/).filter(line => line.trim() !== '')
    const isLines = lines.length > 1 && lines[0] !== undefined && 'value' in lineEntry(lines[0])
    if (!isLines) throw new SyntaxError(problemOf(error), { cause: error })
    return lines.map(lineEntry)
  }
}

/** Columns in order of first occurrence. @throws SyntaxError */
export function readJsonRows(text: string): Source {
  const entries = entriesOf(text)
  const names = new Set<string>()
  for (const entry of entries)
    if ('value' in entry && isObject(entry.value))
      for (const name of Object.keys(entry.value)) names.add(name)
  const columns = [...names]
  const rows = entries.map((entry, at): SourceRow => {
    const line = at + 1
    if ('problem' in entry) return { line, cells: [], problem: entry.problem }
    const { value } = entry
    if (!isObject(value))
      return { line, cells: [], problem: 'This is not an object with columns and values.' }
    return { line, cells: columns.map(name => (Object.hasOwn(value, name) ? value[name] : undefined)) }
  })
  return { kind: 'json', names: columns, rows }
}
