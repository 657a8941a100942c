// Recording as an option of the client: its machines run under the recorder, from the first event on.
import type { clientMachine } from '../../machines/client.ts'
import { createRedactor } from '../../trace/redact.ts'
import type { Recording } from '../client-types.ts'
import { CLIENT_SYSTEM } from '../compose-client.ts'
import type { Violation } from '../../trace/invariants.ts'
import { createRealtimeParts } from '../realtime/realtime-parts.ts'
import type { RunClient } from '../runner.ts'
import type { SystemParts } from '../system-parts.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { isDevelopment, watchInvariants } from './watch-invariants.ts'

type ClientRecorder = Recorder<typeof clientMachine>

/** Some hours of busy work in some tens of megabytes; a page that lives for weeks must not fill its memory. */
const LIMIT = 100_000

export interface RecordingOptions {
  /** Stimuli (events from outside, timers) after which a recording gives way to a new one; 100,000 unless told. */
  readonly limit?: number
  /** Whether each step is held against the invariants as it comes; on in development and tests unless told. */
  readonly invariants?: boolean
  /** Hears of each broken invariant; without it the first one is written to the console. */
  readonly onViolation?: (violation: Violation) => void
}

/**
 * Records a client from its first event, so that what happened can be looked at, saved and replayed exactly:
 * `createChartroomClient({ url, key, recording: recordEverything() })`. Secrets are left out.
 */
export function recordEverything(options: RecordingOptions = {}): RunClient {
  const { limit = LIMIT, invariants = isDevelopment(), onViolation } = options
  return system => {
    const compose = (parts: SystemParts) => system.compose(parts, createRealtimeParts)
    const recorder: ClientRecorder = createRecorder({ system: CLIENT_SYSTEM, ...system, compose })
    renew(recorder, limit)
    if (invariants) watchInvariants(recorder.trace, onViolation)
    return {
      actor: recorder.actor,
      start: recorder.start,
      send: command => recorder.between(() => system.deliver(recorder.actor, command)),
      stop: recorder.stop,
      steps: recorder.trace,
      redactUrl: createRedactor().text,
      registerSecret: recorder.registerSecret,
      recording: recordingOf(recorder),
    }
  }
}

/** Begins a new recording, from a keyframe of the system as it is, whenever the one before grew too long. */
function renew({ trace, isRecording, startRecording }: ClientRecorder, limit: number) {
  let since = trace.version()
  trace.subscribe(() => {
    if (!isRecording() || trace.version() - since < limit) return
    startRecording()
    since = trace.version()
  })
}

function recordingOf(recorder: ClientRecorder): Recording {
  return {
    trace: recorder.trace,
    isRecording: recorder.isRecording,
    start: recorder.startRecording,
    stop: recorder.stopRecording,
    download: async () => new Blob([await recorder.file()], { type: 'application/gzip' }),
  }
}
