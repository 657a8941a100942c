// Formats numbers, sizes and durations for display. Texts are English; separators are those of the browser's locale.
import { sizeParts } from '../../../machines/index.ts'

/** Digits that an English text can contain, with the separators of the browser's locale. */
const number = (options: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(undefined, { numberingSystem: 'latn', ...options })

const counts = number({})
const [integer, tenths, hundredths] = ([0, 1, 2] as const).map(digits =>
  number({ minimumFractionDigits: digits, maximumFractionDigits: digits }),
) as [Intl.NumberFormat, Intl.NumberFormat, Intl.NumberFormat]

/** Formats a number with thousands separators: `1,200`, or `1.200` in Germany. */
export const formatCount = (n: number): string => counts.format(n)

/** Formats a count with its noun: `1 row`, `1,200 rows`. */
export const plural = (n: number, one: string, pluralForm = `${one}s`): string =>
  `${formatCount(n)} ${n === 1 ? one : pluralForm}`

/** Formats bytes as `12.4 kB`; 1 kB is 1,000 bytes. */
export function formatSize(bytes: number): string {
  const { value, unit, isWhole } = sizeParts(bytes)
  return `${(isWhole ? integer : tenths).format(value)} ${unit}`
}

/** Formats milliseconds as `4.2 ms`, `380 ms` or `1.20 s`. */
export const formatMs = (ms: number): string =>
  ms < 1000 ? `${(ms < 10 ? tenths : integer).format(ms)} ms` : `${hundredths.format(ms / 1000)} s`

/** Formats milliseconds as `2:14` or `1:02:05`; negative values become 0. */
export const formatSpan = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const tail = `${h > 0 ? String(m).padStart(2, '0') : m}:${String(s).padStart(2, '0')}`
  return h > 0 ? `${h}:${tail}` : tail
}

/** @param now milliseconds on the client's monotonic clock, which in a page starts at page load. */
export const wallTime = (now: number): Date => new Date(performance.timeOrigin + now)
