// Reads a file into rows: CSV as a stream, JSON as a list of objects or one object per line.
import { createSlices } from '../../../runtime/index.ts'
import { CsvReader, guessDelimiter, type Delimiter } from '../csv.ts'
import { type Source, type SourceRow, toSource } from './read-rows.ts'
import { parseExact } from '../../text/json-format.ts'

export interface FileChoice {
  readonly name: string
  readonly bytes: number
  readonly stream: () => ReadableStream<Uint8Array<ArrayBuffer>>
}

/** A parsed file, before the first row is used as header. */
export type FileRows =
  | {
      readonly kind: 'csv'
      readonly delimiter: Delimiter
      readonly rows: readonly SourceRow[]
      readonly isDamaged: boolean
    }
  | { readonly kind: 'json'; readonly source: Source; readonly isDamaged: boolean }

export interface ReadFileOptions {
  /** Guessed by default. */
  readonly delimiter?: Delimiter
  readonly signal: AbortSignal
  /** Between 0 and 1. */
  readonly onProgress: (share: number) => void
}

/** The encoding by byte order mark; UTF-8 by default. */
const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'

/** Bytes per piece. */
const PIECE = 65_536

/** A file's text in pieces, without the byte order mark. */
async function* textOf(
  file: FileChoice,
  { signal, onProgress }: ReadFileOptions,
): AsyncGenerator<string, void> {
  const pause = createSlices()
  let decoder: TextDecoder | undefined
  let done = 0
  const reader = file.stream().getReader()
  try {
    for (;;) {
      signal.throwIfAborted()
      const { value } = await reader.read()
      if (value === undefined) break
      decoder ??= new TextDecoder(encodingOf(value))
      // Some streams return a whole file at once, which would block rendering.
      for (let from = 0; from < value.byteLength; from += PIECE) {
        const piece = value.subarray(from, from + PIECE)
        yield decoder.decode(piece, { stream: true })
        done += piece.byteLength
        const turn = pause()
        if (!turn) continue
        onProgress(Math.min(1, done / Math.max(1, file.bytes)))
        await turn
        signal.throwIfAborted()
      }
    }
    // An empty file yields one empty piece.
    yield decoder?.decode() ?? ''
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const isJson = (name: string, text: string): boolean =>
  /\.(json|ndjson|jsonl|geojson)$/i.test(name) || (!/\.(csv|tsv|tab)$/i.test(name) && /^\s*[[{]/.test(text))

/** The replacement character for invalid bytes. */
const BROKEN = '\uFFFD'

/** @throws errors of reading the file; `DOMException` when aborted; `SyntaxError` for invalid JSON. */
export async function readFile(file: FileChoice, options: ReadFileOptions): Promise<FileRows> {
  const pieces = textOf(file, options)
  const { value: first } = (await pieces.next()) as IteratorYieldResult<string>
  let isDamaged = first.includes(BROKEN)
  if (isJson(file.name, first)) {
    const parts = [first]
    for await (const piece of pieces) parts.push(piece)
    const text = parts.join('')
    return { kind: 'json', source: readJsonRows(text), isDamaged: text.includes(BROKEN) }
  }
  const delimiter = options.delimiter ?? (/\.(tsv|tab)$/i.test(file.name) ? '\t' : guessDelimiter(first))
  const reader = new CsvReader(delimiter)
  const rows: SourceRow[] = [...reader.push(first)]
  for await (const piece of pieces) {
    isDamaged ||= piece.includes(BROKEN)
    for (const row of reader.push(piece)) rows.push(row)
  }
  rows.push(...reader.end())
  return { kind: 'csv', delimiter, rows, isDamaged }
}

/** Pasted text as a file. */
export function pastedFile(text: string): FileChoice {
  const blob = new Blob([text])
  return { name: 'pasted', bytes: blob.size, stream: () => blob.stream() }
}

/** The rows with their column names. */
export const sourceOf = (rows: FileRows, hasHead: boolean): Source =>
  rows.kind === 'json' ? rows.source : toSource(rows.rows, hasHead)

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
