// Formats server timestamps for display.

/** @param timeZone defaults to the user's. */
export const momentWords = (at: string | null | undefined, timeZone?: string): string => {
  const time = Date.parse(at ?? '')
  if (Number.isNaN(time)) return 'never'
  return new Date(time).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  })
}
