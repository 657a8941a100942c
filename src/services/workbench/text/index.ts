// Text formats: numbers, times, JSON and URLs.
export { exactNumber, JSON_NUMBER, parseExact, indented } from './json-format.ts'
export { formatClock, formatRefresh } from './format-token.ts'
export { formatCount, formatMs, formatSize, formatSpan, plural, wallTime } from './format.ts'
export { formatDateTime, formatExactTime, formatRange, formatTime } from './format-instant.ts'
export { hexLines } from './hex.ts'
export { inertUrl, type InertUrl } from './inert-url.ts'
export { isUtc, localZone, onTimeZone, showUtc, timeZone } from './time-zone.ts'
