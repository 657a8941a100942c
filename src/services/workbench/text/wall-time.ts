// Converts the client's time to a time of day, for display.

/** @param now milliseconds on the client's monotonic clock, which in a page starts at page load. */
export const wallTime = (now: number): Date => new Date(performance.timeOrigin + now)
