// Plays the recording in the console: moves the moment until the end, or until the user moves it.
import { useCallback, useEffect, useMemo, useRef, useState, type Dispatch } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import type { Place, PlaceAction } from '../model/place.ts'
import { advanced, playedViews, type Position } from './playback.ts'

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
