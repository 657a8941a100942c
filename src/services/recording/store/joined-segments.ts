// Presents the segments of a recording as one trace.
import {
  batchOf,
  inBatches,
  Joiner,
  presentIn,
  type ReplayableTrace,
  type TraceBatch,
} from '../../../trace/index.ts'
import type { Segment, SegmentRecorder } from './segments.ts'

/**
 * Joins the segments into one trace. The joined trace is built on first access and dropped after the last
 * unsubscribe.
 */
export function createJoined(recorder: Pick<SegmentRecorder, 'trace'>, segments: () => readonly Segment[]) {
  let joiner: Joiner | undefined
  let next = 0
  let dropped = 0
  const current = (): Joiner => {
    const list = segments()
    const made = (joiner ??= new Joiner())
    for (const segment of list) {
      if (segment.number < next) continue
      made.begin(segment)
      next = segment.number + 1
    }
    made.update()
    return made
  }
  const batch = (most: number): TraceBatch => {
    const made = (joiner ??= new Joiner())
    let isWhole = made.advance(most)
    const following = isWhole ? segments().find(({ number }) => number >= next) : undefined
    if (following) {
      made.open(following)
      next = following.number + 1
      isWhole = false
    }
    const { actors, stimuli, steps, bookmarks } = made
    return { actors, stimuli, steps, bookmarks, isWhole, size: steps.length }
  }
  const forget = () => {
    joiner = undefined
    next = 0
  }
  const { version } = recorder.trace
  let listeners = 0
  const subscribe = (listener: () => void) => {
    listeners += 1
    const end = recorder.trace.subscribe(listener)
    let isOn = true
    return () => {
      end()
      if (isOn) listeners -= 1
      isOn = false
      // A listener that unsubscribes and resubscribes does both synchronously.
      if (listeners === 0) setTimeout(() => void (listeners === 0 && forget()))
    }
  }
  const base = { live: true, hashes: [], version, subscribe }
  Object.defineProperty(base, 'header', { get: () => segments()[0]?.trace.header, enumerable: true })
  Object.defineProperty(base, 'dropped', { get: () => dropped })
  const names = ['actors', 'stimuli', 'steps', 'tape', 'keyframes', 'bookmarks', 'damage'] as const
  for (const name of names)
    Object.defineProperty(base, name, { get: () => current()[name], enumerable: true })
  return {
    trace: inBatches(base as unknown as ReplayableTrace, batch),
    /** Returns the segment of a step and the step's number in it. */
    locate: (step: number) => current().locate(step),
    /** Removes these segments. The recording then begins with `next`. */
    drop(gone: readonly Segment[], next: Segment) {
      const steps = gone.reduce((sum, { trace }) => sum + batchOf(trace, 0).size, 0)
      // Each segment but the first repeats the actors known at its start, and `next` becomes the first.
      const known = [...gone.slice(1), next].reduce((sum, { trace }) => sum + presentIn(trace), 0)
      dropped += steps - known
      forget()
    },
    /** Resets for another recording. */
    forget() {
      dropped = 0
      forget()
    },
  }
}
