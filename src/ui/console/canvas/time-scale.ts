// Time on the horizontal axis: to pixels and back, zoomed and moved within the whole, with round ticks.

/** A stretch of time, in milliseconds since the recording began. */
export type Range = readonly [from: number, to: number]

/** Nothing is looked at more closely: a hundredth of a millisecond over the width. */
const LEAST = 0.01

/** Maps a range to so many pixels. */
export interface TimeScale {
  readonly range: Range
  readonly width: number
  /** Pixels from the left. */
  x(t: number): number
  t(x: number): number
  /** Milliseconds that one pixel stands for. */
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

/** Everything, and a little more so that what is at the end can be seen. */
export const wholeOf = (end: number): Range => [0, Math.max(1, end * 1.02)]

/** Zooms by a factor (below 1 comes closer) about a time, which stays where it is. */
export function zoomed(range: Range, about: number, factor: number, whole: Range): Range {
  const [from, to] = range
  const by = Math.max(factor, LEAST / (to - from))
  return clamped([about - (about - from) * by, about + (to - about) * by], whole)
}

/** Moves by a part of what is seen: 0.1 goes a tenth of it to the right. */
export function panned(range: Range, share: number, whole: Range): Range {
  const by = (range[1] - range[0]) * share
  return clamped([range[0] + by, range[1] + by], whole)
}

/** The same length within the whole; all of it when it is longer. */
export function clamped([from, to]: Range, whole: Range): Range {
  const length = Math.max(LEAST, to - from)
  if (length >= whole[1] - whole[0]) return whole
  const start = Math.min(Math.max(from, whole[0]), whole[1] - length)
  return [start, start + length]
}

/** Moves the range just so far that a time is in it, with some room. */
export function revealing(range: Range, t: number, whole: Range): Range {
  const [from, to] = range
  if (t >= from && t <= to) return range
  const length = to - from
  return clamped(
    t < from ? [t - length * 0.1, t + length * 0.9] : [t - length * 0.9, t + length * 0.1],
    whole,
  )
}

export const isWhole = (range: Range, whole: Range): boolean => range[0] <= whole[0] && range[1] >= whole[1]

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].map(step => step * SECOND)

/** Round times at least so many pixels apart. */
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

/** 1, 2 or 5 times a power of ten. */
function power(least: number): number {
  const ten = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find(step => step * ten >= least) ?? 10) * ten
}

/** A time for the ruler, as exact as the ticks are apart. */
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

/** A length of time in words: `320 µs`, `12.4 ms`, `3.20 s`, `4 min 10 s`. */
export function duration(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1000)} µs`
  if (ms < SECOND) return `${Number(ms.toPrecision(3))} ms`
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(2)} s`
  const seconds = Math.round(ms / SECOND)
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)]
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min ${seconds % 60} s`
}
