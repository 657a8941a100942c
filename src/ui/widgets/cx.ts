// Joins class names and skips empty ones.

/** Joins class names with a space; skips `false`, `null` and `undefined`. */
export const cx = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ')
