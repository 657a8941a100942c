// The recording of other apps over Stately's protocol, for the console.
import { nextTurn, repeat } from '../../../services/runtime/index.ts'
import { encodeFile, ForeignTrace, Listeners } from '../../../trace/index.ts'

/** How often missing records are given up on, in milliseconds: a busy page sends its steps in bursts. */
const SETTLE_EVERY = 250

export type ForeignRecording = ReturnType<typeof createForeignRecording>

/**
 * Creates a recording that starts taking messages immediately.
 * @param now milliseconds on this page's monotonic clock: the app's times are of another clock
 */
export function createForeignRecording(now: () => number) {
  const listeners = new Listeners()
  const { notify } = listeners
  let began = now()
  const open = () => {
    began = now()
    const made = new ForeignTrace({ defer: run => void nextTurn().then(run) })
    made.subscribe(() => {
      // A message arrives soon after it was sent.
      began = now() - (made.steps.at(-1)?.t ?? 0)
      notify()
    })
    return made
  }
  let trace = open()
  let isRecording = true
  return {
    get trace() {
      return trace
    },
    isRecording: () => isRecording,
    elapsed: () => now() - began,
    start() {
      if (!isRecording) trace = open()
      isRecording = true
      notify()
    },
    stop() {
      isRecording = false
      notify()
    },
    bookmark: (note: string, step: number) => trace.bookmark(note, step),
    download: async () => new Blob([await encodeFile(savable(trace))], { type: 'application/gzip' }),
    take(raw: unknown, connection: string) {
      if (isRecording) trace.take(raw, connection)
    },
    disconnected: (connection: string) => trace.disconnected(connection),
    report: () => trace.report(),
    /** Notifies after messages arrived, at most once per task. */
    subscribe: listeners.subscribe,
    /** Periodically gives up on missing records; returns a stop function. */
    keepSettling: () => repeat(() => trace.settle(), SETTLE_EVERY),
  }
}

/** A saved file cannot be replayed, because inputs are not sent; everything else is included. */
function savable(trace: ForeignTrace) {
  const { header, actors, stimuli, steps, bookmarks, damage, live, version, subscribe } = trace
  const none = { tape: [], keyframes: [], hashes: [] }
  return { header, actors, stimuli, steps, bookmarks, damage, live, version, subscribe, ...none }
}
