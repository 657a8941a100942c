// The recording of one system: makes its root with everything captured, and keeps the log that replays it.
import { createActor } from 'xstate'
import type { Actor, AnyActorLogic, AnyActorRef, InspectionEvent, Snapshot } from 'xstate'
import { encodeFile, encodeLines } from '../../trace/encode.ts'
import { FORMAT_VERSION } from '../../trace/format.ts'
import type { ReplayableTrace, TraceHeader } from '../../trace/format.ts'
import { REDACTION_POLICY } from '../../trace/redact.ts'
import type { RedactionPolicy } from '../../trace/secrets.ts'
import { createFeed } from '../feed.ts'
import { systemCharts } from '../machine-chart.ts'
import { inspectDirectly } from './inspection.ts'
import { actorTree, takeKeyframe } from './keyframe.ts'
import type { SystemRecording, SystemRecordingOptions } from './recording-types.ts'
import { createTaps } from './recorder-taps.ts'
import type { Taps } from './recorder-taps.ts'
import { facade, freeze } from './trace-facade.ts'
import { TraceLog } from './trace-log.ts'
import type { TraceLogOptions } from './trace-log.ts'
import { XSTATE_VERSION } from './xstate-version.ts'

export type { Recording, SystemRecording, SystemRecordingOptions } from './recording-types.ts'

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
