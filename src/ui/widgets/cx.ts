// Joins class names, leaving out the absent ones.

/** Joins class names with a space; `false`, `null` and `undefined` are left out. */
export const cx = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ')
