// Time formats of the API.

/** Converts a database time from any zone to UTC; times outside of the calendar stay unchanged. */
export function iso(time: string | null): string | undefined {
  if (time === null) return undefined
  const date = new Date(/[zZ]$|[+-]\d\d(:?\d\d)?$/.test(time) ? time : `${time}Z`)
  return Number.isNaN(date.getTime()) ? time : date.toISOString()
}
