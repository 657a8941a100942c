// Parses foreign keys of single columns from the backend's OpenAPI document.

/** The column of another table that a column references. */
export interface Reference {
  readonly table: string
  readonly column: string
  /** All columns of the same composite reference, including this one. */
  readonly pairs?: readonly Pair[]
}

export interface Pair {
  readonly own: string
  readonly theirs: string
}

const REFERENCE = /<fk table='([^']+)' column='([^']+)'\/>/

/** Parses PostgREST's column description. */
export const referenceIn = (description: string): { readonly references?: Reference } => {
  const [, table, column] = REFERENCE.exec(description) ?? []
  return table === undefined || column === undefined ? {} : { references: { table, column } }
}
