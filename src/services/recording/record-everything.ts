// Recording as an option of the client: its machines run under the recorder, from the first event on.
import type { clientMachine } from '../../machines/client.ts'
import { createRedactor } from '../../trace/redact.ts'
import type { Recording } from '../client-types.ts'
import { CLIENT_SYSTEM } from '../compose-client.ts'
import type { Violation } from '../../trace/invariants.ts'
import { createRealtimeBeforeSocket } from '../realtime/socket-later.ts'
import type { RunClient } from '../runner.ts'
import { createUploadsParts } from '../uploads/uploads-parts.ts'
import { createSegments, type RingOptions, type Segments } from '../store/segments.ts'
import { createUnwrittenRecorder, type UnwrittenRecorder } from './unwritten-recorder.ts'

type ClientRecorder = UnwrittenRecorder<typeof clientMachine>

export interface RecordingOptions {
  /** How much of the past is held in memory; at least the last 100,000 stimuli unless told. */
  readonly ring?: RingOptions
  /**
   * False records no steps, only what they follow from: cheap enough to be always on in production. Who opens the
   * file has them derived by a replay; a console beside the running client shows none, and no invariants are held
   * against them. Steps are recorded unless told.
   */
  readonly views?: boolean
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
  const { ring = {}, views = true, invariants = views && isDevelopment(), onViolation } = options
  if (invariants && !views) throw new TypeError('Invariants are held against steps: not with views: false.')
  return system => {
    const compose = () =>
      system.compose({ realtime: createRealtimeBeforeSocket, uploads: createUploadsParts })
    const recorder: ClientRecorder = createUnwrittenRecorder({
      system: CLIENT_SYSTEM,
      ...system,
      compose,
      views,
    })
    const segments = createSegments(recorder, system.clock.now, ring)
    if (invariants) void lookOn(segments.trace, onViolation)
    return {
      actor: recorder.actor,
      start: recorder.start,
      send: command => recorder.between(() => system.deliver(recorder.actor, command)),
      stop: recorder.stop,
      steps: recorder.trace,
      redactUrl: createRedactor().text,
      registerSecret: recorder.registerSecret,
      recording: recordingOf(segments),
      actors: recorder.actors,
    }
  }
}

/** In production nobody looks, and what looking takes is not loaded. */
async function lookOn(trace: Segments['trace'], onViolation: RecordingOptions['onViolation']): Promise<void> {
  const { watchInvariants } = await import('./watch-invariants.ts')
  watchInvariants(trace, onViolation)
}

/** Bundlers put the mode in the place of either expression; what has neither is taken for production. */
function isDevelopment(): boolean {
  try {
    return process.env['NODE_ENV'] !== 'production'
  } catch {
    return (import.meta as { readonly env?: { readonly DEV?: boolean } }).env?.DEV === true
  }
}

function recordingOf(segments: Segments): Recording {
  return {
    trace: segments.trace,
    segments,
    isRecording: segments.isRecording,
    start: segments.start,
    stop: segments.stop,
    bookmark: segments.bookmark,
    async download() {
      const { encodeFile } = await import('../../trace/encode.ts')
      return new Blob([await encodeFile(segments.recorded())], { type: 'application/gzip' })
    },
  }
}
