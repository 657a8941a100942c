// Times as the API writes them.

/** A time of the database, whatever its zone, in UTC; one that no calendar has stays as it is. */
export function iso(time: string | null): string | undefined {
  if (time === null) return undefined
  const date = new Date(/[zZ]$|[+-]\d\d(:?\d\d)?$/.test(time) ? time : `${time}Z`)
  return Number.isNaN(date.getTime()) ? time : date.toISOString()
}
