// The time of day of a moment on the client's clock, for display.

/** @param now milliseconds on the client's monotonic clock, which in a page count from the page's start. */
export const wallTime = (now: number): Date => new Date(performance.timeOrigin + now)
