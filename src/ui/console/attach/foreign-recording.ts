// A recording of other apps' messages that the console can show, stop, restart and save.
import { encodeFile, type ForeignReport, ForeignTrace, type RedactionPolicy } from '../../../trace/index.ts'
import type { ConsoleRecording } from '../console-recording.ts'

/** How often missing records are given up on, in milliseconds: a busy page sends its steps in bursts. */
const SETTLE_EVERY = 250

export interface ForeignRecording extends ConsoleRecording {
  /** Takes a raw message. */
  take(raw: unknown, connection: string): void
  connected(connection: string): void
  disconnected(connection: string): void
  report(): ForeignReport
  /** Notifies after messages arrived, at most once per task. */
  subscribe(listener: () => void): () => void
  /** Periodically gives up on missing records; returns a stop function. */
  keepSettling(): () => void
}

/** Creates a recording that starts taking messages immediately. */
export function createForeignRecording(redact?: RedactionPolicy): ForeignRecording {
  const listeners = new Set<() => void>()
  const notify = () => listeners.forEach(listener => listener())
  const open = () => {
    const made = new ForeignTrace({ defer: run => void setTimeout(run), ...(redact && { redact }) })
    made.subscribe(notify)
    return made
  }
  let trace = open()
  let isRecording = true
  return {
    get trace() {
      return trace
    },
    isRecording: () => isRecording,
    start() {
      if (!isRecording) trace = open()
      isRecording = true
      notify()
    },
    stop() {
      isRecording = false
      notify()
    },
    bookmark: (note, step) => trace.bookmark(note, step),
    download: async () => new Blob([await encodeFile(savable(trace))], { type: 'application/gzip' }),
    take: (raw, connection) => isRecording && trace.take(raw, connection),
    connected: connection => trace.connected(connection),
    disconnected: connection => trace.disconnected(connection),
    report: () => trace.report(),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    keepSettling() {
      const timer = setInterval(() => trace.settle(), SETTLE_EVERY)
      return () => clearInterval(timer)
    },
  }
}

/** A saved file cannot be replayed, because inputs are not sent; everything else is included. */
function savable(trace: ForeignTrace) {
  const { header, actors, stimuli, steps, bookmarks, damage, live, version, subscribe } = trace
  const none = { tape: [], keyframes: [], hashes: [] }
  return { header, actors, stimuli, steps, bookmarks, damage, live, version, subscribe, ...none }
}
