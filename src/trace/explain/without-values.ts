// Texts without the parts that differ between occurrences of the same failure.

/**
 * These parts also can identify a user: addresses, emails, ids, quoted values and numbers.
 */
const VARIABLE: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/\b[a-z][a-z+.-]{1,20}:\/\/\S+/gi, 'URL'],
  [/(?<![^\s@"'<>()])[^\s@"'<>()]+@[^\s@"'<>()]+/g, 'EMAIL'],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, 'ID'],
  [/"[^"]{0,200}"|'[^']{0,200}'|`[^`]{0,200}`|“[^“”]{0,200}”/g, '"…"'],
  [/\b(?=\w*\d)\w{16,}\b/g, 'ID'],
  [/\d+(?:[.,]\d+)*/g, 'N'],
]

/** Replaces the values in a message by what they are. */
export const withoutValues = (message: string): string =>
  VARIABLE.reduce((text, [pattern, by]) => text.replace(pattern, by), message)
