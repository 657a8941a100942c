// The segments of a recording as one trace for those who look on.
import type { ReplayableTrace } from '../../trace/format.ts'
import { Joiner } from '../../trace/join.ts'
import type { Segment, SegmentRecorder } from './segments.ts'

/** The segments as one trace, put together when somebody looks; costs nothing while nobody does. */
export function createJoined(recorder: Pick<SegmentRecorder, 'trace'>, segments: () => readonly Segment[]) {
  let joiner: Joiner | undefined
  let next = 0
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
  const forget = () => {
    joiner = undefined
    next = 0
  }
  const { version, subscribe } = recorder.trace
  const base = { live: true, hashes: [], version, subscribe }
  Object.defineProperty(base, 'header', { get: () => segments()[0]?.trace.header, enumerable: true })
  const names = ['actors', 'stimuli', 'views', 'tape', 'keyframes', 'bookmarks', 'damage'] as const
  for (const name of names)
    Object.defineProperty(base, name, { get: () => current()[name], enumerable: true })
  return {
    trace: base as unknown as ReplayableTrace,
    /** Which segment a view comes from, and its number there. */
    locate: (view: number) => current().locate(view),
    forget,
  }
}
