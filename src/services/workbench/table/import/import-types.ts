// Types of an import: a file's contents and the rows to send.
import type { Column } from '../schema.ts'

/** A row of a file. CSV: text, null for an empty field; JSON: values, undefined for a missing one. */
export interface SourceRow {
  /** Line of a CSV file, or entry number in a JSON file; from 1. */
  readonly line: number
  readonly cells: readonly unknown[]
  /** Why it could not be read. */
  readonly problem?: string
}

export interface Source {
  readonly kind: 'csv' | 'json'
  readonly names: readonly string[]
  readonly rows: readonly SourceRow[]
}

/** What an empty CSV field becomes. */
export type EmptyMeans = 'null' | 'default' | 'text'

/** The table column for each column of the file; null: skipped. */
export type Mapping = readonly (string | null)[]

export interface Problem {
  readonly line: number
  /** Undefined for the whole row. */
  readonly column?: string
  readonly message: string
  /** The original value. */
  readonly value?: string
}

/** A row ready to send. */
export interface ReadyRow {
  readonly source: SourceRow
  readonly values: Readonly<Record<string, unknown>>
}

export interface ReadRows {
  readonly ready: readonly ReadyRow[]
  /** By line; a row may have several. */
  readonly problems: readonly Problem[]
  /** Rows with a problem. */
  readonly bad: readonly SourceRow[]
}

export interface ReadOptions {
  readonly kind: Source['kind']
  readonly columns: readonly Column[]
  readonly mapping: Mapping
  readonly empty: EmptyMeans
}
