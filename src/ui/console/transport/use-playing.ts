// Plays the recording with its pauses at any speed: moves the moment until the end, or until the user moves
// it.
import { useCallback, useEffect, useMemo, useRef, useState, type Dispatch } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import type { Place, PlaceAction } from '../model/place.ts'

export interface Playing {
  readonly isPlaying: boolean
  readonly speed: number
  readonly setSpeed: (speed: number) => void
  /**
   * Plays from the moment, or stops. While following a live end: pauses at this moment; at that end, follows
   * it again.
   */
  readonly toggle: () => void
}

export interface PlayingOptions {
  readonly timeline: Timeline
  readonly size: number
  readonly isLive: boolean
  readonly place: Place
  /** The moment, as a view number. */
  readonly at: number
  readonly isFollowing: boolean
  readonly go: Dispatch<PlaceAction>
}

export function usePlaying(options: PlayingOptions): Playing {
  const { timeline, size, isLive, place, at, isFollowing, go } = options
  const [speed, setSpeed] = useState(1)
  const [isPlaying, setPlaying] = useState(false)
  const position = useRef<Position>({ seq: 0, waited: 0 })
  const latest = useRef({ size, isLive, range: place.range, at })
  useEffect(() => {
    latest.current = { size, isLive, range: place.range, at }
  })
  useEffect(() => {
    if (!isPlaying) return
    let before: number | undefined
    let asked = requestAnimationFrame(function frame(now) {
      const { size: length, isLive: live, range, at: shown } = latest.current
      const [first, last] = playedViews(timeline, length, range)
      // The user selected another moment: continue from there.
      const from = shown === position.current.seq ? position.current : { seq: shown, waited: 0 }
      const next = advanced(
        timeline,
        from.seq < first ? { seq: first, waited: 0 } : from,
        now - (before ?? now),
        speed,
        last,
      )
      before = now
      position.current = next
      if (next.seq !== shown) go({ type: 'moment', seq: next.seq })
      if (next.seq < last) {
        asked = requestAnimationFrame(frame)
        return
      }
      setPlaying(false)
      if (live && !range) go({ type: 'end' })
    })
    return () => cancelAnimationFrame(asked)
  }, [isPlaying, timeline, speed, go])
  const toggle = useCallback(() => {
    if (isPlaying) return setPlaying(false)
    const [first, last] = playedViews(timeline, size, place.range)
    if (isLive && isFollowing) return go({ type: 'moment', seq: at })
    if (isLive && at >= last && !place.range) return go({ type: 'end' })
    const from = at >= last ? first : at
    if (from >= last) return
    position.current = { seq: from, waited: 0 }
    if (from !== at) go({ type: 'moment', seq: from })
    setPlaying(true)
  }, [isPlaying, isLive, isFollowing, timeline, size, place.range, at, go])
  return useMemo(() => ({ isPlaying, speed, setSpeed, toggle }), [isPlaying, speed, toggle])
}

/** Speed factors. */
export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 100] as const

/** Longer pauses are shortened to this, in milliseconds. */
const QUIET_MS = 1000

/** Maximum events skipped at once, so that a frame stays short. */
const MOST = 20_000

/** Position of a playback. */
interface Position {
  readonly seq: number
  /** Milliseconds already waited for the next event. */
  readonly waited: number
}

/** Returns the milliseconds to wait for the event after this one. */
function gapAfter(timeline: Timeline, seq: number, speed: number): number {
  return Math.min(QUIET_MS, (timeline.t(seq + 1) - timeline.t(seq)) / speed)
}

/** Returns the position after the given milliseconds; it stops at the view `last`. */
export function advanced(
  timeline: Timeline,
  { seq, waited }: Position,
  passed: number,
  speed: number,
  last: number,
): Position {
  let at = seq
  let left = waited + passed
  for (let steps = 0; at < last && steps < MOST; steps++) {
    const gap = gapAfter(timeline, at, speed)
    if (left < gap) return { seq: at, waited: left }
    left -= gap
    at += 1
  }
  return { seq: at, waited: 0 }
}

/** Returns the first and last view to play: in the shown range, or all. */
export function playedViews(
  timeline: Timeline,
  size: number,
  range: readonly [from: number, to: number] | undefined,
): readonly [first: number, last: number] {
  if (!range) return [0, size - 1]
  const [first, end] = timeline.within(...range)
  return [first, Math.min(end, size) - 1]
}
