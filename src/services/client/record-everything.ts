// The client's `recording` option: runs the client's machines under a recorder from the first event.
import type { clientMachine } from '../../machines/index.ts'
import { createRedactor, Listeners, type Violation } from '../../trace/index.ts'
import type { ClientRecording } from './client-types.ts'
import { CHART_LABELS } from './chart-labels.ts'
import { CLIENT_SYSTEM } from './compose-client.ts'
import type { RunClient } from './runner.ts'
import { createUploadsParts } from './uploads/uploads-parts.ts'
import {
  createSegments,
  createUnwrittenRecorder,
  type RingOptions,
  type Segments,
  type UnwrittenRecorder,
} from '../recording/index.ts'
import { addChartLabels, broken } from '../runtime/index.ts'
import { realtimeOver, type RealtimeHost } from './realtime/realtime-over.ts'
import type { OpenSocket, SocketLife } from './realtime/supabase-socket.ts'

type ClientRecorder = UnwrittenRecorder<typeof clientMachine>

/** Options of `recordEverything`. */
export interface RecordingOptions {
  /** How much of the past is kept in memory. Defaults to at least the last 100,000 stimuli. */
  readonly ring?: RingOptions
  /**
   * False records no steps, only the inputs they follow from, which is cheap enough for production. Steps are
   * derived by a replay when the file is opened. A console next to the running client shows none, and
   * invariants are not checked. Defaults to true.
   */
  readonly steps?: boolean
  /**
   * Whether each step is checked against the invariants as it occurs. Defaults to true in development and
   * tests.
   */
  readonly invariants?: boolean
  /** Called for each failed invariant. Without it, the first one is logged to the console. */
  readonly onViolation?: (violation: Violation) => void
}

/**
 * Records a client from its first event, so that a session can be inspected, saved and replayed exactly:
 * `createChartroomClient({ url, key, recording: recordEverything() })`. Secrets are left out.
 */
export function recordEverything(options: RecordingOptions = {}): RunClient {
  const { ring = {}, steps = true, onViolation } = options
  if (options.invariants && !steps)
    throw new TypeError('Invariants are checked on steps. Remove `steps: false` or set `invariants: false`.')
  addChartLabels(CHART_LABELS)
  return system => {
    const { invariants = steps && isDevelopment() } = options
    const compose = () =>
      system.compose({ realtime: createRealtimeBeforeSocket, uploads: createUploadsParts })
    // Its machines read nothing from the platform, and compare plain data by value.
    const recorder: ClientRecorder = createUnwrittenRecorder({
      system: CLIENT_SYSTEM,
      ...system,
      compose,
      steps,
    })
    const segments = createSegments(recorder, system.clock.now, ring)
    const watch = steps ? violationsOf(segments.trace) : undefined
    if (invariants && watch) void watchInDevelopment(watch, onViolation)
    return {
      actor: recorder.actor,
      start: recorder.start,
      between: recorder.between,
      stop: recorder.stop,
      steps: recorder.trace,
      redactUrl: createRedactor().text,
      registerSecret: recorder.registerSecret,
      recording: recordingOf(segments, recorder, watch ?? (() => () => undefined)),
      actors: recorder.actors,
    }
  }
}

type OnViolation = (violation: Violation) => void
type WatchViolations = (listener: OnViolation) => () => void

/** Checks the steps from the first listener on. The code is loaded then, and in production rarely. */
function violationsOf(trace: Segments['trace']): WatchViolations {
  const listeners = new Listeners<[Violation]>()
  let isWatched = false
  const start = async () => {
    const { watchInvariants } = await import('../recording/watch-invariants.ts')
    watchInvariants(trace, listeners.notify)
  }
  return listener => {
    if (!isWatched) void start()
    isWatched = true
    return listeners.subscribe(listener)
  }
}

/** Without a listener of the app, the first one is logged. */
async function watchInDevelopment(watch: WatchViolations, listener: OnViolation | undefined): Promise<void> {
  watch(listener ?? (await import('../recording/watch-invariants.ts')).createViolationLog())
}

/** Bundlers replace either expression by the mode. If neither exists, production is assumed. */
function isDevelopment(): boolean {
  try {
    return process.env['NODE_ENV'] !== 'production'
  } catch {
    return (import.meta as { readonly env?: { readonly DEV?: boolean } }).env?.DEV === true
  }
}

function recordingOf(
  segments: Segments,
  recorder: ClientRecorder,
  onViolation: WatchViolations,
): ClientRecording {
  return {
    trace: segments.trace,
    segments,
    isRecording: segments.isRecording,
    elapsed: segments.elapsed,
    start: segments.start,
    stop: segments.stop,
    bookmark: segments.bookmark,
    onViolation,
    async download(context) {
      const { segmentsFile } = await import('../recording/encode-gently.ts')
      return segmentsFile(segments, recorder, context)
    },
  }
}

type Load = () => Promise<{ readonly openSocket: OpenSocket }>

/**
 * Code that fails to load is reported as a socket that did not open, so reconnecting also retries loading.
 */
export const openLazily =
  (load: Load): OpenSocket =>
  (backend, input, report) => {
    if (!backend.WebSocket) return undefined
    let life: SocketLife | undefined
    let isClosed = false
    const open = ({ openSocket }: Awaited<ReturnType<Load>>) => {
      if (!isClosed) life = openSocket(backend, input, report)
    }
    const opening = load().then(
      code => {
        try {
          open(code)
        } catch (error) {
          report(broken(error))
        }
      },
      () => {
        const reason = 'the realtime code could not be loaded'
        if (!isClosed) report({ type: 'socket.closed', code: 0, reason })
      },
    )
    return {
      get client() {
        // Topics join only after the socket reported that it is open.
        if (!life) throw new Error('the socket has not been opened')
        return life.client
      },
      leaving: new Map(),
      authorised: () => opening.then(() => life?.authorised()),
      // A connection that opens later uses the token at that time.
      pushToken: () => life?.pushToken(),
      probe: () => life?.probe(),
      close() {
        isClosed = true
        life?.close()
      },
    }
  }

/** Realtime that is available immediately, except for the client of its sockets. */
const createRealtimeBeforeSocket = (host: RealtimeHost) =>
  realtimeOver(
    host,
    openLazily(() => import('./realtime/supabase-socket.ts')),
  )
