// Parses ban durations in Go's format: `24h`, `1h30m`, or `none`.
import { AuthError } from '../errors.ts'

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}
const DURATION = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/
const PART = /[+-]?(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/gy
/** The longest duration in Go, in milliseconds. */
const MOST_MS = 9_223_372_036_854

/** The end of the ban as an ISO time; `null` lifts the ban, `undefined` changes nothing. */
export function bannedUntil(duration: string, now: number): string | null | undefined {
  if (duration === '') return undefined
  if (duration === 'none') return null
  const ms = DURATION.test(duration) ? sum(duration) : Number.NaN
  if (!(Math.abs(ms) <= MOST_MS)) {
    const message = `invalid format for ban duration: time: invalid duration ${JSON.stringify(duration)}`
    throw new AuthError(400, 'validation_failed', message)
  }
  return ms === 0 ? null : new Date(now + ms).toISOString()
}

function sum(duration: string): number {
  const parts = [...duration.matchAll(PART)].map(
    ([, count, unit]) => Number(count) * (UNIT_MS[unit ?? ''] ?? 0),
  )
  const total = parts.reduce((before, part) => before + part, 0)
  return duration.startsWith('-') ? -total : total
}
