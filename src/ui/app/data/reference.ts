// What a foreign key refers to, as the backend's document says of a single column.

/** A column of another table, whose values this one has. */
export interface Reference {
  readonly table: string
  readonly column: string
  /** Of all columns that refer there together, this one among them. */
  readonly pairs?: readonly Pair[]
}

export interface Pair {
  readonly own: string
  readonly theirs: string
}

const REFERENCE = /<fk table='([^']+)' column='([^']+)'\/>/

/** In the words of PostgREST. */
export const referenceIn = (description: string): { readonly references?: Reference } => {
  const [, table, column] = REFERENCE.exec(description) ?? []
  return table === undefined || column === undefined ? {} : { references: { table, column } }
}
