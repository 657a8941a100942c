// Text formats: numbers, times, JSON and URLs.
export { exactNumber, JSON_NUMBER, parseExact } from './exact-json.ts'
export { formatClock, formatRefresh } from './format-token.ts'
export { formatCount, formatMs, formatSpan, plural } from './format.ts'
export { hexLines } from './hex.ts'
export { inertUrl, type InertUrl } from './inert-url.ts'
export { indented } from './json-format.ts'
export { wallTime } from './wall-time.ts'
