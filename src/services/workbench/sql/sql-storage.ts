// Drafts, options, history and saved queries of the SQL page, in this browser's storage.
import { array, fallback, type InferOutput, number, object, optional, picklist, string } from 'valibot'
import { createRedactor } from '../../../trace/index.ts'
import { SQL_ENDS, SQL_MODES } from '../../../machines/workbench/sql-run.ts'
import { keepSetting, readSetting, writeSetting } from '../storage/local-store.ts'
import { readInTab, writeInTab } from '../storage/tab-store.ts'

const entrySchema = object({
  id: string(),
  /** Without secrets. */
  sql: string(),
  /** The display name of who ran it. */
  as: string(),
  mode: picklist(SQL_MODES),
  /** ISO time. */
  at: string(),
  /** Absent if its end is not known. */
  end: optional(picklist(SQL_ENDS)),
  ms: optional(number()),
  /** Rows of all results. */
  rows: optional(number()),
})

export type SqlEntry = InferOutput<typeof entrySchema>

const savedSchema = array(object({ name: string(), sql: string() }))

export type SavedSql = InferOutput<typeof savedSchema>[number]

export const ROW_LIMITS = [100, 1_000, 10_000, 100_000] as const
export const TIME_LIMITS_MS = [1_000, 5_000, 30_000, 120_000, 600_000] as const

const optionsSchema = object({
  /** `owner`, a role of the API, or the id of a user. */
  as: fallback(string(), 'owner'),
  maxRows: fallback(picklist(ROW_LIMITS), 1_000),
  limitMs: fallback(picklist(TIME_LIMITS_MS), 30_000),
})

export type SqlOptions = InferOutput<typeof optionsSchema>

const FIRST_OPTIONS: SqlOptions = { as: 'owner', maxRows: 1_000, limitMs: 30_000 }

const MOST_ENTRIES = 200
/** Characters of all entries: browsers store a few million per site. */
const MOST_HISTORY = 500_000
const MOST_ENTRY = 50_000

export const readOptions = (url: string): SqlOptions =>
  readSetting(`sql.options.${url}`, optionsSchema, FIRST_OPTIONS)

export const writeOptions = (url: string, options: SqlOptions): void =>
  writeSetting(`sql.options.${url}`, options)

/** The draft of this tab, else the one that was edited last. */
export const readDraftSql = (url: string): string =>
  readInTab(`sql.draft.${url}`) ?? readSetting(`sql.draft.${url}`, string(), '')

/** Returns whether a new tab would get it, too: the browser's storage may be full. */
export function keepDraftSql(url: string, sql: string): boolean {
  writeInTab(`sql.draft.${url}`, sql)
  return keepSetting(`sql.draft.${url}`, sql)
}

export const readHistory = (url: string): readonly SqlEntry[] =>
  readSetting(`sql.history.${url}`, array(entrySchema), [])

/** Adds an entry before those that are stored, also by other tabs. */
export function addToHistory(url: string, entry: SqlEntry): readonly SqlEntry[] {
  const { value } = createRedactor()
  const sql = value(entry.sql.length > MOST_ENTRY ? `${entry.sql.slice(0, MOST_ENTRY)}…` : entry.sql)
  const earlier = readHistory(url).filter(({ id }) => id !== entry.id)
  return keepHistory(url, [{ ...entry, sql }, ...earlier])
}

export function keepHistory(url: string, entries: readonly SqlEntry[]): readonly SqlEntry[] {
  let characters = 0
  const list = entries.slice(0, MOST_ENTRIES).filter(({ sql }) => (characters += sql.length) <= MOST_HISTORY)
  writeSetting(`sql.history.${url}`, list)
  return list
}

export const readSavedSql = (url: string): readonly SavedSql[] =>
  readSetting(`sql.saved.${url}`, savedSchema, [])

/** Returns false if the browser's storage is full. */
export const writeSavedSql = (url: string, saved: readonly SavedSql[]): boolean =>
  keepSetting(`sql.saved.${url}`, saved)

/** Replaces a query of the same name. */
export const withSavedSql = (saved: readonly SavedSql[], one: SavedSql): readonly SavedSql[] =>
  [...saved.filter(({ name }) => name !== one.name), one].sort((a, b) =>
    a.name.localeCompare(b.name, 'en', { numeric: true }),
  )
