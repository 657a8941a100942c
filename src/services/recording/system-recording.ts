// The recording of one system: makes its root with everything captured, and keeps the log that replays it.
import { createActor } from 'xstate'
import type { Actor, AnyActorLogic, AnyActorRef, InspectionEvent, Observer, Snapshot } from 'xstate'
import { encodeFile, encodeLines } from '../../trace/encode.ts'
import { FORMAT_VERSION } from '../../trace/format.ts'
import type { ReplayableTrace, TraceHeader } from '../../trace/format.ts'
import { REDACTION_POLICY } from '../../trace/redact.ts'
import type { RedactionPolicy } from '../../trace/secrets.ts'
import { createFeed } from '../feed.ts'
import { systemCharts } from '../machine-chart.ts'
import type { Environment } from '../system-parts.ts'
import type { Registry } from './actor-registry.ts'
import { inspectDirectly } from './inspection.ts'
import { actorTree, takeKeyframe } from './keyframe.ts'
import { createTaps } from './recorder-taps.ts'
import type { RecordedWorld, Taps, TapsOptions } from './recorder-taps.ts'
import { facade, freeze } from './trace-facade.ts'
import { TraceLog } from './trace-log.ts'
import type { TraceLogOptions } from './trace-log.ts'
import { XSTATE_VERSION } from './xstate-version.ts'

/** What every recording can do. */
export interface Recording<L extends AnyActorLogic = AnyActorLogic> {
  /** The root: an ordinary actor; what it is told and does is recorded. */
  readonly actor: Actor<L>
  readonly start: () => void
  readonly stop: () => void
  /**
   * The records so far and as they come, also while not recording. A new recording puts new arrays in place of
   * the old ones; until then they only grow.
   */
  readonly trace: ReplayableTrace
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

export interface SystemRecording<L extends AnyActorLogic> extends Recording<L> {
  /** Runs this between two steps: now, or when the present one is over. */
  readonly between: (run: () => void) => void
  /** The recording of the moment by itself: its arrays stay when a new one begins, and only grow until then. */
  readonly segment: () => ReplayableTrace
  /** Begins another segment, between two steps; false when the system, as it is now, could not be brought back. */
  readonly nextSegment: () => boolean
  /** Calls back with each secret that becomes known, and what takes its place from then on. */
  readonly onSecret: (listener: (secret: string, pseudonym: string) => void) => () => void
  /** A trace of this recorder without what became known as a secret after its records were made. */
  readonly refine: (trace: ReplayableTrace) => ReplayableTrace
}

export interface SystemRecordingOptions<L extends AnyActorLogic> extends RecordedWorld {
  readonly system: string
  readonly appVersion: string
  readonly wall: () => Date
  /** Makes the root's logic. */
  readonly logic: (env: Environment) => L
  /** What the root is created with. */
  readonly actorOptions: {
    readonly id?: string
    readonly input?: unknown
    readonly snapshot?: unknown
    readonly systemId?: string
  }
  /** For a system that goes on from where a recording was. */
  readonly origin?: RecordingOrigin
  /** The app's own inspector. */
  readonly inspect?: Observer<InspectionEvent> | ((event: InspectionEvent) => void) | undefined
  readonly machines?: TraceHeader['machines'] | undefined
  /** How many stimuli lie between two keyframes. */
  readonly keyframeEvery?: number | undefined
  /** Rules of the app by which secrets are found, beside those that are built in. */
  readonly redact?: RedactionPolicy | undefined
}

/** What a system that goes on from a recording brings along. */
export interface RecordingOrigin {
  readonly branchOf: NonNullable<TraceHeader['branchOf']>
  /** Names that its actors had there. */
  readonly naming: TapsOptions['naming']
  /** Called when all actors are made, before any of them is started. */
  readonly made: (root: AnyActorRef, registry: Registry) => void
}

/** Some milliseconds of replaying. */
const KEYFRAME_EVERY = 4096

/** Creates the system, not started. */
export function createSystemRecording<L extends AnyActorLogic>(
  options: SystemRecordingOptions<L>,
): SystemRecording<L> {
  const feed = createFeed()
  const taps: Taps = createTaps({
    ...options,
    log: () => log,
    rest: () => keepUp(),
    naming: options.origin?.naming,
  })
  const { registry, redactor, refine, viewer, tap, timers } = taps
  const logic = options.logic(taps.env)
  const machines = options.machines ?? systemCharts(logic)
  const newLog = (from?: Pick<TraceLogOptions, 'actors'>) =>
    new TraceLog({ header: toHeader(options, machines), redactor, feed, ...from })
  let log = newLog()
  /** What the recording held when it was stopped; the live view goes on. */
  let stopped: ReplayableTrace | undefined

  const keyframe = () =>
    log.keyframe((place, indexOf) =>
      takeKeyframe({ root: actor, registry, timers, machines }, place, indexOf),
    )
  const every = options.keyframeEvery ?? KEYFRAME_EVERY
  let due = every
  const keepUp = () => {
    if (log.length < due || stopped) return
    // An actor that could not be brought back may be gone a little later.
    due = log.length + (isActive(actor) && keyframe() ? every : Math.ceil(every / 16))
  }
  const actor = createRoot(logic, options, taps, message => log.damage(message))
  /** Goes over to a new log that begins with a keyframe; `strictly` only to one that can be replayed. */
  const goOver = (strictly: boolean): boolean => {
    // Before the start nothing has happened that a new recording could leave out.
    if (!registry.of(actor).started) return false
    const tree = actorTree(actor, registry)
    const next = newLog({ actors: tree })
    next.keyframe((place, indexOf) =>
      takeKeyframe({ root: actor, registry, timers, machines }, place, indexOf),
    )
    if (strictly && next.trace.keyframes.some(({ unreachable }) => unreachable.length > 0)) return false
    log = next
    taps.restartTime()
    due = every
    viewer.next = 0
    viewer.present(tree)
    log.settle()
    return true
  }
  const beginAnew = () => {
    stopped = undefined
    goOver(false)
  }
  const start = () => {
    options.origin?.made(actor, registry)
    actor.start()
    if (options.actorOptions.snapshot !== undefined) beginAnew()
  }
  const recorded = () => refine(stopped ?? log.trace)
  return {
    actor: actor as unknown as Actor<L>,
    start,
    stop: () => void actor.stop(),
    between: run => tap.between(run),
    trace: facade(() => log.trace),
    segment: () => log.trace,
    nextSegment() {
      let hasBegun = false
      tap.between(() => void (hasBegun = goOver(true)))
      return hasBegun
    },
    refine,
    isRecording: () => stopped === undefined,
    startRecording: () => tap.between(beginAnew),
    stopRecording: () => tap.between(() => void (stopped ??= freeze(log.trace))),
    file: () => encodeFile(recorded()),
    lines: () => [...encodeLines(recorded())],
    registerSecret: redactor.register,
    onSecret: redactor.onLearn,
  }
}

function isActive(actor: AnyActorRef): boolean {
  return (actor.getSnapshot() as Snapshot<unknown>).status === 'active'
}

function toRedaction(policy: RedactionPolicy | undefined): TraceHeader['redaction'] {
  if (!policy) return { policy: REDACTION_POLICY }
  const { keys, allow } = policy
  const rules = { ...(keys && { keys }), ...(allow && { allow }) }
  return { policy: `${REDACTION_POLICY}, and rules of the app`, ...rules }
}

function toHeader(
  {
    system,
    appVersion,
    wall,
    redact,
    actorOptions: { input, systemId },
    origin,
  }: SystemRecordingOptions<AnyActorLogic>,
  machines: TraceHeader['machines'],
): TraceHeader {
  return {
    line: 'header',
    format: FORMAT_VERSION,
    system,
    appVersion,
    xstateVersion: XSTATE_VERSION,
    startedAt: wall().toISOString(),
    input,
    ...(systemId !== undefined && { systemId }),
    machines,
    redaction: toRedaction(redact),
    ...(origin && { branchOf: origin.branchOf }),
  }
}

function createRoot(
  logic: AnyActorLogic,
  { actorOptions, inspect }: SystemRecordingOptions<AnyActorLogic>,
  { timers, tap, ...taps }: Taps,
  report: (message: string) => void,
): Actor<AnyActorLogic> {
  const theirs = typeof inspect === 'function' ? inspect : inspect?.next?.bind(inspect)
  const ours = (event: InspectionEvent) => {
    try {
      taps.inspect(event)
    } catch (error) {
      // It must never reach the system: XState would put the actor into its error state.
      report(`a step could not be recorded: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  let actor: Actor<AnyActorLogic> | undefined
  const all = (event: InspectionEvent) => {
    ours(event)
    theirs?.(event)
  }
  let isDirect = theirs !== undefined
  const first = (event: InspectionEvent) => {
    if (!isDirect && event.type === '@xstate.actor') inspectDirectly(event.actorRef as AnyActorRef, ours)
    isDirect = true
    ours(event)
  }
  tap.run(() => {
    const options = { ...actorOptions, clock: timers.clock, inspect: theirs ? all : first }
    actor = createActor(logic, options as object)
  })
  return actor as Actor<AnyActorLogic>
}
