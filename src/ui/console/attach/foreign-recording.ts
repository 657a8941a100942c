// What other apps tell, as a recording that the console can hold: it can be stopped, begun anew and saved.
import { encodeFile } from '../../../trace/encode.ts'
import { ForeignTrace, type ForeignReport } from '../../../trace/foreign/foreign-trace.ts'
import type { RedactionPolicy } from '../../../trace/secrets.ts'
import type { ConsoleRecording } from '../console-recording.ts'

/** How often what did not come is given up, in milliseconds: a page that is busy tells its steps in bursts. */
const SETTLE_EVERY = 250

export interface ForeignRecording extends ConsoleRecording {
  /** A message as it came. */
  take(raw: unknown, connection: string): void
  connected(connection: string): void
  disconnected(connection: string): void
  report(): ForeignReport
  /** Calls back after something came, at most once in a task. */
  subscribe(listener: () => void): () => void
  /** Gives up what did not come, a few times in a second; returns what ends it. */
  keepSettling(): () => void
}

/** Creates one that takes what comes from the start. */
export function createForeignRecording(redact?: RedactionPolicy): ForeignRecording {
  const listeners = new Set<() => void>()
  const tell = () => listeners.forEach(listener => listener())
  const open = () => {
    const made = new ForeignTrace({ defer: run => void setTimeout(run), ...(redact && { redact }) })
    made.subscribe(tell)
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
      tell()
    },
    stop() {
      isRecording = false
      tell()
    },
    bookmark: (note, view) => trace.bookmark(note, view),
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

/** It cannot be replayed, since what came from outside is not told; all the rest of a file it has. */
function savable(trace: ForeignTrace) {
  const { header, actors, stimuli, views, bookmarks, damage, live, version, subscribe } = trace
  const none = { tape: [], keyframes: [], hashes: [] }
  return { header, actors, stimuli, views, bookmarks, damage, live, version, subscribe, ...none }
}
