// The recorder: runs a system with every input tapped, so that the run can be replayed exactly.
import { createActor } from 'xstate'
import type { Actor, AnyStateMachine, EventFromLogic, InspectionEvent } from 'xstate'
import { encodeFile, encodeLines } from '../../trace/encode.ts'
import { FORMAT_VERSION } from '../../trace/format.ts'
import type { ReplayableTrace, TraceHeader } from '../../trace/format.ts'
import { REDACTION_POLICY } from '../../trace/redact.ts'
import type { Clock } from '../clock.ts'
import type { Entropy } from '../entropy.ts'
import { createFeed } from '../feed.ts'
import { actorTree, takeKeyframe } from './keyframe.ts'
import { machineCharts } from '../machine-chart.ts'
import { createTaps } from './recorder-taps.ts'
import type { SystemParts } from '../system-parts.ts'
import type { TimerTable } from './timers.ts'
import { TraceLog } from './trace-log.ts'
import type { TraceLogOptions } from './trace-log.ts'

/** The version of XState whose behaviour the recordings rely on. */
export const XSTATE_VERSION = '5.33.3'

export interface RecorderOptions<M extends AnyStateMachine> {
  /** Name under which a replay finds the machines. */
  readonly system: string
  readonly appVersion: string
  readonly clock: Clock
  readonly entropy: Entropy
  /** Puts the machines together; a replay uses the same function. */
  readonly compose: (parts: SystemParts) => M
  /** Input of the root machine: plain data. */
  readonly input?: unknown
  /** The drawings of the machines, where somebody has them already; they take a while to make. */
  readonly machines?: TraceHeader['machines']
}

/** A system that runs and is recorded. The recording is on from the first event. */
export interface Recorder<M extends AnyStateMachine> {
  /** The root, for reading and subscribing. */
  readonly actor: Actor<M>
  readonly start: () => void
  /** Sends to the root. Inside a step (from a subscriber, say) it waits until the step is over. */
  readonly send: (event: EventFromLogic<M>) => void
  readonly stop: () => void
  /** Runs this between two steps: now, or when the present one is over. */
  readonly between: (run: () => void) => void
  /**
   * The records so far and as they come, also while not recording. A new recording puts new arrays in place of
   * the old ones; until then they only grow.
   */
  readonly trace: ReplayableTrace
  /** The recording of the moment by itself: its arrays stay when a new one begins, and only grow until then. */
  readonly segment: () => ReplayableTrace
  /** A trace of this recorder without what became known as a secret after its records were made. */
  readonly refine: (trace: ReplayableTrace) => ReplayableTrace
  readonly isRecording: () => boolean
  /** Begins anew with a keyframe of the system as it is; the recording before is dropped. */
  readonly startRecording: () => void
  readonly stopRecording: () => void
  /** The recording as a gzipped file. */
  readonly file: () => Promise<Uint8Array<ArrayBuffer>>
  /** The recording as the lines of a file that is not packed. */
  readonly lines: () => string[]
  /** Hides this value wherever it turns up. */
  readonly registerSecret: (secret: string) => void
}

/** Creates the system, not started. */
export function createRecorder<M extends AnyStateMachine>(options: RecorderOptions<M>): Recorder<M> {
  const feed = createFeed()
  const taps = createTaps(options, () => log)
  const { registry, redactor, refine, viewer, tap, timers } = taps
  const machine = options.compose(taps.parts)
  const machines = options.machines ?? machineCharts(machine)
  const newLog = (from?: Pick<TraceLogOptions, 'actors' | 'keyframe'>) =>
    new TraceLog({ header: toHeader(options, machines), redactor, feed, ...from })
  let log = newLog()
  /** What the recording held when it was stopped; the live view goes on. */
  let stopped: ReplayableTrace | undefined
  const actor = createRoot(machine, options.input, timers, viewer.inspect, message => log.damage(message))
  timers.attach(actor)
  tap.attach(actor)

  let started = false
  const start = () => {
    started = true
    actor.start()
  }
  const beginAnew = () => {
    stopped = undefined
    // Before the start nothing has happened that a new recording could leave out.
    if (!started) return
    const tree = actorTree(actor, registry)
    taps.restartTime()
    log = newLog({ actors: tree, keyframe: indexOf => takeKeyframe(actor, tree, registry, timers, indexOf) })
    viewer.next = 0
    viewer.present(tree)
    log.settle()
  }
  const stop = () => tap.stimulate({ kind: 'stop', to: registry.of(actor) }, 'none', () => void actor.stop())
  const recorded = () => refine(stopped ?? log.trace)
  return {
    actor: actor as unknown as Actor<M>,
    start: () => tap.run(start),
    send: event => tap.between(() => actor.send(event)),
    stop: () => tap.between(stop),
    between: run => tap.between(run),
    trace: facade(() => log.trace),
    segment: () => log.trace,
    refine,
    isRecording: () => stopped === undefined,
    startRecording: () => tap.between(beginAnew),
    stopRecording: () => tap.between(() => void (stopped ??= freeze(log.trace))),
    file: () => encodeFile(recorded()),
    lines: () => [...encodeLines(recorded())],
    registerSecret: redactor.register,
  }
}

function toHeader(
  { system, appVersion, clock, input }: RecorderOptions<AnyStateMachine>,
  machines: TraceHeader['machines'],
): TraceHeader {
  return {
    line: 'header',
    format: FORMAT_VERSION,
    system,
    appVersion,
    xstateVersion: XSTATE_VERSION,
    startedAt: clock.wall().toISOString(),
    input,
    machines,
    redaction: { policy: REDACTION_POLICY },
  }
}

function createRoot(
  machine: AnyStateMachine,
  input: unknown,
  { clock }: TimerTable,
  inspect: (event: InspectionEvent) => void,
  report: (message: string) => void,
): Actor<AnyStateMachine> {
  const options = { id: machine.id, clock, inspect: guarded(inspect, report) }
  return createActor(machine, input === undefined ? options : { ...options, input })
}

/** A failure of the viewer must never reach the system: XState would put the actor into its error state. */
function guarded(inspect: (event: InspectionEvent) => void, report: (message: string) => void) {
  return (event: InspectionEvent) => {
    try {
      inspect(event)
    } catch (error) {
      report(`a step could not be shown: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

/** The trace as it is now, which does not grow any more. */
function freeze(trace: ReplayableTrace): ReplayableTrace {
  return {
    ...trace,
    actors: [...trace.actors],
    stimuli: [...trace.stimuli],
    views: [...trace.views],
    tape: [...trace.tape],
  }
}

/** One object for readers to hold, whichever recording is the present one. */
function facade(current: () => ReplayableTrace): ReplayableTrace {
  const { version, subscribe } = current()
  const names = [
    'header',
    'actors',
    'stimuli',
    'views',
    'damage',
    'tape',
    'hashes',
    'keyframes',
    'bookmarks',
    'end',
  ] as const
  const base = { live: true, version, subscribe }
  for (const name of names)
    Object.defineProperty(base, name, { get: () => current()[name], enumerable: true })
  return base as ReplayableTrace
}
