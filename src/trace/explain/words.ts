// Durations, names and lists in sentences.

/** A duration in milliseconds: `400 ms`, `17 s`, `60 min`, `2 h`. */
export function durationInWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms <= 120_000) return `${ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1_000)} s`
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`
}

/** Longest text of a recording that a sentence quotes. */
const LONGEST = 120

/** A name or text of a recording in quotation marks, on one line. */
export function quoted(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return `“${line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`}”`
}

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `a`, `a or b`, `a, b or c`. */
export function orList(items: readonly string[], most = 3): string {
  const named = items.slice(0, most)
  const last = named.pop() ?? ''
  return named.length === 0 ? last : `${named.join(', ')} or ${last}`
}
