// Tables in machine contexts: immutable plain records by key.

/** Returns the table without one row. */
export const withoutKey = <T>(table: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(table).filter(([name]) => name !== key))
