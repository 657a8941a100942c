// Text formats: numbers, times, JSON and URLs.
export { exactNumber, JSON_NUMBER, parseExact, indented } from './json-format.ts'
export { formatClock, formatRefresh } from './format-token.ts'
export { formatCount, formatMs, formatSpan, plural, wallTime } from './format.ts'
export { hexLines } from './hex.ts'
export { inertUrl, type InertUrl } from './inert-url.ts'
