// Formats instants for display, with English words and the conventions of the user's region.
import { timeZone } from './time-zone.ts'

/** Milliseconds since 1970, an ISO 8601 text or a Date. */
export type Instant = Date | number | string

/** English with the conventions of the user's region: `en-DE` for `de-DE`. */
const regional = (): string =>
  `en-${new Intl.Locale(new Intl.NumberFormat().resolvedOptions().locale).maximize().region ?? 'US'}`

const STYLES = {
  time: { timeStyle: 'medium' },
  exactTime: { hour: 'numeric', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
  dateTime: { dateStyle: 'medium', timeStyle: 'medium' },
  toTheMinute: { dateStyle: 'medium', timeStyle: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

type Style = keyof typeof STYLES

/** By style and zone: a formatter takes long to create. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(style: Style, zone: string): Intl.DateTimeFormat {
  const id = `${style} ${zone}`
  const known = formatters.get(id)
  if (known) return known
  const formatter = new Intl.DateTimeFormat(regional(), { ...STYLES[style], timeZone: zone })
  formatters.set(id, formatter)
  return formatter
}

function formatInstant(at: Instant, style: Style, zone: string): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? 'unknown time' : formatterOf(style, zone).format(date)
}

/**
 * Formats an instant as `22 Nov 2026, 12:23:06`, or `Nov 22, 2026, 12:23:06 PM` in the United States.
 * @param zone defaults to the preferred zone
 */
export const formatDateTime = (at: Instant, zone = timeZone()): string => formatInstant(at, 'dateTime', zone)

/** Formats the time of day as `12:23:06`, or `12:23:06 PM` in the United States. */
export const formatTime = (at: Instant, zone = timeZone()): string => formatInstant(at, 'time', zone)

/** Formats the time of day with milliseconds as `12:23:06.120`. */
export const formatExactTime = (at: Instant, zone = timeZone()): string =>
  formatInstant(at, 'exactTime', zone)

/** Formats two instants, naming their day once if it is the same: `28 Nov 2026, 19:01–19:10`. */
export function formatRange(from: Instant, to: Instant, zone = timeZone()): string {
  const dates = [new Date(from), new Date(to)] as const
  if (dates.some(date => Number.isNaN(date.getTime()))) return 'unknown time'
  return formatterOf('toTheMinute', zone).formatRange(...dates)
}
