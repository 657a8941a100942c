// Formats numbers, times and counts for the console.
import { formatCount } from '../../services/workbench/text/index.ts'

/** Formats `1204` as `1,204`. */
export const count = (value: number): string => formatCount(value)

/** Formats `1 event`, `2 events`. */
export const plural = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`

/** Formats `event 1,204`; an empty recording is at `-1`. */
export const eventName = (seq: number): string => (seq < 0 ? 'no event' : `event ${count(seq)}`)

/** Formats milliseconds since the recording began as `40.821` or `1:04.821`. */
export function clockTime(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  const seconds = ((ms % 60_000) / 1000).toFixed(3)
  return minutes === 0 ? seconds : `${minutes}:${seconds.padStart(6, '0')}`
}

/** Formats a duration in whole seconds as `1:24` or `1:02:07`. */
export function elapsedTime(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000))
  const parts = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

/** Returns the name of a recording as a file. */
export const traceFileName = (header: { readonly system: string; readonly startedAt: string }): string =>
  `${header.system}-${header.startedAt.slice(0, 19).replace(/[:T]/g, '-')}.trace.gz`

/** Returns the message of a thrown value, for display. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
