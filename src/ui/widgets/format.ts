// Formats dates and sizes for display, the same way in the app and the console.

// Swedish writes times as `2026-11-22 12:23:06`.
const LOCALE = 'sv-SE'

/**
 * Formats a time as `2026-11-22 12:23:06`.
 * @param at milliseconds since 1970, an ISO 8601 text or a Date
 * @param timeZone defaults to the user's
 */
export const formatDateTime = (at: Date | number | string, timeZone?: string): string =>
  new Date(at).toLocaleString(LOCALE, timeZone === undefined ? {} : { timeZone })

/** Formats the time of day as `12:23:06`, in the user's time zone. */
export const formatTime = (at: Date | number | string): string => new Date(at).toLocaleTimeString(LOCALE)

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** Formats bytes as `12.4 kB`; 1 kB is 1,000 bytes. */
export const formatSize = (bytes: number): string => {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit] ?? ''}`
}
