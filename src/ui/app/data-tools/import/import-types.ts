// What an import is made of: what a file holds, and what is made of it.
import type { Column } from '../../data/schema.ts'

/** A row of a file: CSV has texts, and null where nothing stood; JSON has values, and undefined for a missing one. */
export interface SourceRow {
  /** Line of a CSV file, or number of the entry in a JSON file; from 1. */
  readonly line: number
  readonly cells: readonly unknown[]
  /** It could not be read. */
  readonly problem?: string
}

export interface Source {
  readonly kind: 'csv' | 'json'
  readonly names: readonly string[]
  readonly rows: readonly SourceRow[]
}

/** What an empty field of a CSV file becomes. */
export type EmptyMeans = 'null' | 'default' | 'text'

/** For each column of the file the name of the table's, or null where it is left out. */
export type Mapping = readonly (string | null)[]

export interface Problem {
  readonly line: number
  /** Absent where the whole row is meant. */
  readonly column?: string
  readonly message: string
  /** What stood there. */
  readonly value?: string
}

/** A row that can be sent. */
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
