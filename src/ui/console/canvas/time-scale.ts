// Horizontal time scale: time to pixels and back, zoom and pan within the whole, round ticks; times as text
// and from text.

/** A time range, in milliseconds since the recording began. */
export type Range = readonly [from: number, to: number]

/** Smallest range: a hundredth of a millisecond across the width. */
const LEAST = 0.01

/** Maps a range to a width in pixels. */
export interface TimeScale {
  readonly range: Range
  readonly width: number
  /** Pixels from the left. */
  x(t: number): number
  t(x: number): number
  /** Milliseconds per pixel. */
  readonly perPixel: number
}

export function timeScale(range: Range, width: number): TimeScale {
  const [from, to] = range
  const perPixel = (to - from) / Math.max(1, width)
  return {
    range,
    width,
    x: t => (t - from) / perPixel,
    t: x => from + x * perPixel,
    perPixel,
  }
}

/** Returns the full range plus a margin that keeps the end visible. */
export const wholeOf = (end: number): Range => [0, Math.max(1, end * 1.02)]

/** Zooms by a factor (below 1 zooms in) around a time, which keeps its position. */
export function zoomed(range: Range, about: number, factor: number, full: Range): Range {
  const [from, to] = range
  const by = Math.max(factor, LEAST / (to - from))
  return clamped([about - (about - from) * by, about + (to - about) * by], full)
}

/** Pans by a share of the visible range: 0.1 moves a tenth of it to the right. */
export function panned(range: Range, share: number, full: Range): Range {
  const by = (range[1] - range[0]) * share
  return clamped([range[0] + by, range[1] + by], full)
}

/** Returns a range of the same length within the whole; the whole if it is longer. */
export function clamped([from, to]: Range, full: Range): Range {
  const length = Math.max(LEAST, to - from)
  if (length >= full[1] - full[0]) return full
  const start = Math.min(Math.max(from, full[0]), full[1] - length)
  return [start, start + length]
}

/** Moves the range only as far as needed to show a time with some margin. */
export function revealing(range: Range, t: number, full: Range): Range {
  const [from, to] = range
  if (t >= from && t <= to) return range
  const length = to - from
  return clamped(t < from ? [t - length * 0.1, t + length * 0.9] : [t - length * 0.9, t + length * 0.1], full)
}

export const isWhole = (range: Range, full: Range): boolean => range[0] <= full[0] && range[1] >= full[1]

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].map(step => step * SECOND)

/** Returns round times at least this many pixels apart. */
export function ticks({ range, perPixel }: TimeScale, apart: number): readonly number[] {
  const step = roundStep(apart * perPixel)
  const first = Math.ceil(range[0] / step)
  const last = Math.floor(range[1] / step)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * step)
}

function roundStep(least: number): number {
  if (least <= SECOND) return power(least)
  return CLOCK_STEPS.find(step => step >= least) ?? HOUR * power(least / HOUR)
}

/** Returns 1, 2 or 5 times a power of ten. */
function power(least: number): number {
  const ten = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find(step => step * ten >= least) ?? 10) * ten
}

/** Formats a time for the ruler, as precisely as the ticks are spaced. */
export function tickLabel(t: number, step: number): string {
  if (t < SECOND && step < SECOND) return `${Number(t.toFixed(3))} ms`
  const digits = step >= SECOND ? 0 : Math.min(5, Math.ceil(-Math.log10(step / SECOND) - 1e-9))
  const seconds = ((t % MINUTE) / SECOND).toFixed(digits)
  if (t < MINUTE) return `${seconds} s`
  const minutes = Math.floor(t / MINUTE)
  const padded = seconds.padStart(digits === 0 ? 2 : digits + 3, '0')
  if (t < HOUR) return `${minutes}:${padded}`
  return `${Math.floor(t / HOUR)}:${String(minutes % 60).padStart(2, '0')}:${padded}`
}

/** Formats a duration: `320 µs`, `12.4 ms`, `3.20 s`, `4 min 10 s`. */
export function duration(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1000)} µs`
  if (ms < SECOND) return `${Number(ms.toPrecision(3))} ms`
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(2)} s`
  const seconds = Math.round(ms / SECOND)
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)]
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min ${seconds % 60} s`
}

/** A moment: by its time in milliseconds since the recording began, or by its event. */
type WrittenMoment = { readonly t: number } | { readonly seq: number }

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, min: 60_000, s: 1000, ms: 1 }

/** Returns undefined if the text is not a moment. */
export function parseMoment(text: string): WrittenMoment | undefined {
  const bare = text.trim().toLowerCase().replaceAll(',', '')
  const event = /^#(\d{1,12})$/.exec(bare)
  if (event) return { seq: Number(event[1]) }
  const clock = /^(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/.exec(bare)
  if (clock) {
    const [hours, minutes, seconds] = [clock[1] ?? '0', clock[2], clock[3]].map(Number)
    return { t: ((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)) * 1000 }
  }
  if (/^\d+(\.\d+)?$/.test(bare)) return { t: Number(bare) * 1000 }
  if (!/^(\d+(\.\d+)?\s*(h|min|ms|m|s)\s*)+$/.test(bare)) return undefined
  const parts = bare.matchAll(/(\d+(?:\.\d+)?)\s*(h|min|ms|m|s)\s*/gy)
  return {
    t: [...parts].reduce((sum, [, amount, unit = 's']) => sum + Number(amount) * (UNITS[unit] ?? 0), 0),
  }
}
