// Formats numbers, durations and times for display.

/** Formats a number with thousands separators. */
export const formatCount = (n: number): string => n.toLocaleString('en')

/** Formats a count with its noun: `1 row`, `1,200 rows`. */
export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${formatCount(n)} ${n === 1 ? one : many}`

/** Formats milliseconds as `4.2 ms`, `380 ms` or `1.20 s`. */
export const formatMs = (ms: number): string =>
  ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`

/** Formats milliseconds as `2:14` or `1:02:05`; negative values become 0. */
export const formatSpan = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const tail = `${h > 0 ? String(m).padStart(2, '0') : m}:${String(s).padStart(2, '0')}`
  return h > 0 ? `${h}:${tail}` : tail
}

/** @param now milliseconds on the client's monotonic clock, which in a page starts at page load. */
export const wallTime = (now: number): Date => new Date(performance.timeOrigin + now)
