// Labels of foreign keys: a readable column of the referenced rows, read once per key and kept in memory.
import { Listeners } from '../../../trace/index.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { callRest, type RestResponse } from '../rest/rest.ts'
import { ROWS_AT_ONCE } from './edits/row-conditions.ts'
import type { TableName } from './of-table.ts'
import { type Column, type Row, type TableInfo, valueText } from './schema.ts'
import { parameterName, selectName } from './rest-names.ts'
import { anyOf } from './table-query.ts'

/** Most telling first. */
const TELLING = [/^name$/i, /^title$/i, /^label$/i, /name/i, /title|label/i, /email/i, /code/i]

/** The column that describes a row to users: its name, title, label or email, or else its first text. */
export const titleColumn = (
  info: TableInfo | undefined,
  keys: readonly Pick<Column, 'name'>[],
): Column | undefined => {
  const isKey = (name: string) => keys.some(key => key.name === name)
  const texts = info?.columns.filter(({ type, name }) => type === 'text' && !isKey(name)) ?? []
  for (const pattern of TELLING) {
    const label = texts.find(({ name }) => pattern.test(name))
    if (label !== undefined) return label
  }
  return texts[0]
}

/** Where the labels of a column come from. */
export interface LabelSource {
  /** The column with the foreign key. */
  readonly column: string
  /** The referenced table, its key, and its readable column. */
  readonly table: string
  readonly key: string
  readonly label: string
}

/** The columns with labels; references of several columns have none. */
export const labelSources = (
  columns: readonly Column[],
  infoOf: (table: string) => TableInfo | undefined,
): readonly LabelSource[] =>
  columns.flatMap(({ name, references }) => {
    if (references === undefined || references.pairs !== undefined) return []
    const { table, column: key } = references
    const label = titleColumn(infoOf(table), [{ name: key }])
    return label === undefined ? [] : [{ column: name, table, key, label: label.name }]
  })

/** Labels by key. */
export type Labels = ReadonlyMap<string, string>

const NONE: Labels = new Map()
/** Longer labels are cut. */
const MOST_TEXT = 120

/** The labels of one table's foreign keys, while its page is open. */
export class LabelStore {
  readonly #client: ChartroomClient
  readonly #schema: string
  readonly #listeners = new Listeners()
  #left = new AbortController()
  /** Keys that were read or are being read, by source. */
  readonly #requested = new Map<string, Set<string>>()
  /** Sources whose table can't be read. */
  readonly #refused = new Set<string>()
  #labels: ReadonlyMap<string, Labels> = new Map()

  /** @param of the table with the foreign keys */
  constructor(client: ChartroomClient, of: TableName) {
    this.#client = client
    this.#schema = of.schema
  }

  readonly subscribe = this.#listeners.subscribe

  /** The labels by column; the same object until they change. */
  readonly labels = (): ReadonlyMap<string, Labels> => this.#labels

  /** Reads the missing labels of these rows, with one request for each column of a page. */
  readonly watch = (sources: readonly LabelSource[], rows: readonly Row[]): void => {
    for (const source of sources) {
      const requestedKeys = this.#requested.get(source.column) ?? new Set()
      this.#requested.set(source.column, requestedKeys)
      const missing = new Set<string>()
      for (const row of rows) {
        const value = row[source.column]
        if (value !== null && value !== undefined && !requestedKeys.has(valueText(value)))
          missing.add(valueText(value))
      }
      const keys = [...missing]
      for (const key of keys) requestedKeys.add(key)
      for (let at = 0; at < keys.length; at += ROWS_AT_ONCE)
        void this.#read(source, keys.slice(at, at + ROWS_AT_ONCE))
    }
  }

  /** Starts a visit of the table's page. @returns ends it and aborts its reads */
  readonly open = (): (() => void) => {
    const left = new AbortController()
    this.#left = left
    return () => left.abort()
  }

  async #read(source: LabelSource, keys: readonly string[]) {
    const { column } = source
    if (this.#refused.has(column)) return
    const answer = await this.#send(source, keys)
    if (answer?.ok !== true) {
      // After an abort or a failure that may pass, the keys are read again with the next rows.
      if (answer === undefined || answer.failure.retry)
        for (const each of keys) this.#requested.get(column)?.delete(each)
      else this.#refused.add(column)
      return
    }
    const next = new Map(this.#labels.get(column) ?? NONE)
    for (const row of answer.rows) {
      const text = valueText(row['label']).trim()
      if (row['label'] !== null && text !== '') next.set(valueText(row['key']), text.slice(0, MOST_TEXT))
    }
    this.#labels = new Map([...this.#labels, [column, next]])
    this.#listeners.notify()
  }

  /** Undefined when aborted. */
  async #send(
    { table, key, label }: LabelSource,
    keys: readonly string[],
  ): Promise<RestResponse | undefined> {
    const { signal } = this.#left
    try {
      return await callRest(this.#client, {
        method: 'GET',
        path: `/${encodeURIComponent(table)}`,
        query: [
          ['select', `key:${selectName(key)}::text,label:${selectName(label)}`],
          [parameterName(key), anyOf(keys)],
        ],
        headers: this.#schema === 'public' ? {} : { 'Accept-Profile': this.#schema },
        isLow: true,
        signal,
      })
    } catch (error) {
      if (signal.aborted) return undefined
      throw error
    }
  }
}
