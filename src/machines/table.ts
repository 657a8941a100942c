// Tables in contexts: plain records by name, never changed in place.

/** The table without one of its rows. */
export const without = <T>(table: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(table).filter(([name]) => name !== key))
