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
