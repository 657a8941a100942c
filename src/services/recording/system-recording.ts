// Records one system: creates its root with all taps, and keeps the log from which it can be replayed.
import {
  createActor,
  type Actor,
  type AnyActorLogic,
  type AnyActorRef,
  type InspectionEvent,
  type Snapshot,
} from 'xstate'
import {
  FORMAT_VERSION,
  Listeners,
  REDACTION_POLICY,
  type RedactionPolicy,
  type ReplayableTrace,
  type TraceHeader,
  batchOf,
  inBatches,
} from '../../trace/index.ts'
import { createFeed, systemCharts, recordedSources } from '../runtime/index.ts'
import { HeldRecords } from './held-records.ts'
import { inspectDirectly, watchedInspector } from './inspection.ts'
import { actorTree, takeKeyframe } from './keyframe.ts'
import type { SystemRecordingOptions, UnwrittenRecording } from './recording-types.ts'
import { createTaps, type Taps } from './recorder-taps.ts'
import { rememberState } from './system-state.ts'
import { couldNotRecord, hasEnded } from './tap-parts.ts'
import { type TakeKeyframe, TraceLog, type TraceLogOptions } from './trace-log.ts'
import { XSTATE_VERSION } from './xstate-version.ts'

/** Creates the system without starting it. */
export function createSystemRecording<L extends AnyActorLogic>(
  options: SystemRecordingOptions<L>,
): UnwrittenRecording<L> {
  const feed = createFeed()
  const restarts = new Listeners()
  let rest = (): void => undefined
  /**
   * A stop, while it is unknown whether the system is started again at once, as React does in strict mode and after a
   * hot update. If nothing else changes, that is no part of the recording.
   */
  let held: HeldStop | undefined
  const { tracking } = options
  const taps: Taps = createTaps({
    ...options,
    log: () => held?.records ?? log,
    rest: () => rest(),
    // The recording of a restored system begins with a keyframe, however the root is started.
    started: () => {
      if (options.actorOptions.snapshot === undefined) return
      try {
        tap.between(restart)
      } catch (error) {
        // An app's own logic may be unable to persist itself.
        log.damage(couldNotRecord(error))
      }
    },
    stopping() {
      writeHeld()
      const isAsBefore = rememberState({ root: actor, registry, timers })
      held = { records: new HeldRecords(log), isAsBefore, nextStep: viewer?.next ?? 0, isStarting: false }
      queueMicrotask(writeHeld)
    },
    startedAgain(start) {
      const stop = held
      if (stop) stop.isStarting = true
      else restarts.notify()
      const { size } = stop?.records ?? { size: 0 }
      try {
        start()
      } finally {
        held = undefined
      }
      try {
        for (const ref of actorTree(actor, registry).map(known => known.ref)) if (ref) taps.revive(ref)
        if (stop?.isAsBefore?.()) return goOn(stop.nextStep)
      } catch (error) {
        log.damage(couldNotRecord(error))
      }
      if (stop) {
        stop.records.write(size)
        log.settle()
        restarts.notify()
        stop.records.write()
      }
      try {
        if (!stopped) tap.between(restart)
      } catch (error) {
        log.damage(couldNotRecord(error))
      }
    },
    naming: options.origin?.naming,
  })
  const { registry, redactor, refine, viewer, tap, timers } = taps
  const logic = options.logic(taps.env)
  const { describe = charts => charts } = options
  const chartsNow = () => options.machines ?? describe(systemCharts(logic))
  let machines = chartsNow()
  let sources = recordedSources(logic)
  const newLog = (from?: Pick<TraceLogOptions, 'actors'>) => {
    const objects = tracking?.index?.(registry)
    const known = objects?.inKeyframe(options.actorOptions.input, 0)
    const header = {
      ...toHeader(options, machines, sources),
      ...known?.plain(0, () => 0, redactor.text),
    }
    return new TraceLog({ header, redactor, feed, objects, ...from })
  }
  let log = newLog()
  /** The recording as of when it was stopped; the live view continues. */
  let stopped: ReplayableTrace | undefined

  const pace = new KeyframePace(options.keyframeEvery, viewer !== undefined)
  /** Number of actors and names in the last keyframe. */
  let size = 0
  const take: TakeKeyframe = (place, indexOf) => {
    const keyframe = takeKeyframe({ root: actor, registry, timers, machines }, place, indexOf)
    size = (keyframe.tree?.length ?? 0) + Object.keys(keyframe.names).length
    return keyframe
  }
  const keepUp = () => {
    if (!viewer && hasEnded(root)) seal()
    if (held) return
    if (!pace.isDue(log.length) || stopped) return
    if (isActive(actor) && log.keyframe(take)) pace.taken(log.length, size)
    else pace.missed(log.length)
  }
  /** Without steps, only a final keyframe shows how the recording ended. */
  const seal = () => {
    if (viewer || !root.started || stopped) return
    if (held) held.records.keyframe(take)
    else if (log.length > log.lastKeyframe) log.keyframe(take, true)
  }
  const writeHeld = () => {
    if (!held || held.isStarting) return
    const { records } = held
    held = undefined
    records.write()
    log.settle()
  }
  /** Continues after a stop and a start that changed nothing. */
  const goOn = (nextStep: number) => {
    if (!viewer) return
    viewer.next = nextStep
    viewer.remember(actorTree(actor, registry))
  }
  const actor = createRoot(logic, options, taps, message => log.damage(message))
  const root = registry.of(actor)
  rest = keepUp
  /** Switches to a new log that begins with a keyframe. With `strictly`, only if that log can be replayed. */
  const goOver = (strictly: boolean): boolean => {
    // Nothing happens before the start, so there is nothing to leave out.
    if (!root.started) return false
    const tree = actorTree(actor, registry)
    const next = newLog({ actors: tree })
    next.keyframe(take)
    if (strictly && next.trace.keyframes.some(({ unreachable }) => unreachable.length > 0)) return false
    log = next
    taps.restartTime()
    pace.taken(0, size)
    if (viewer) viewer.next = 0
    viewer?.present(tree)
    log.settle()
    return true
  }
  const restart = () => {
    stopped = undefined
    goOver(false)
  }
  const start = () => {
    options.origin?.made(actor, registry)
    actor.start()
  }
  /** What the readers of the recording see. */
  const current = () => {
    writeHeld()
    return log.trace
  }
  const recorded = () => {
    writeHeld()
    tap.between(seal)
    return refine(stopped ?? log.trace)
  }
  return {
    actor: actor as unknown as Actor<L>,
    start,
    stop: () => void actor.stop(),
    between: run => tap.between(run),
    trace: facade(current),
    segment: current,
    elapsed: taps.elapsed,
    nextSegment() {
      writeHeld()
      let hasBegun = false
      tap.between(() => void (hasBegun = goOver(true)))
      return hasBegun
    },
    refine,
    isRecording: () => stopped === undefined,
    startRecording() {
      writeHeld()
      tap.between(restart)
    },
    replaceState(change) {
      writeHeld()
      tap.between(() => {
        tap.run(change)
        machines = chartsNow()
        sources = recordedSources(logic)
        restart()
      })
    },
    bookmark: (note, step = current().steps.length - 1) => current().bookmark(note, step),
    stopRecording() {
      writeHeld()
      tap.between(() => {
        seal()
        stopped ??= freeze(log.trace)
      })
    },
    onRestart: restarts.subscribe,
    seal() {
      writeHeld()
      tap.between(seal)
    },
    recorded,
    registerSecret: redactor.register,
    onSecret: redactor.onLearn,
    actors: { of: registry.of, find: path => registry.byPath(path)?.ref },
  }
}

interface HeldStop {
  readonly records: HeldRecords
  readonly isAsBefore: (() => boolean) | undefined
  readonly nextStep: number
  /** While the system is started again. */
  isStarting: boolean
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
    steps,
    platform,
    actorOptions: { input, systemId },
    origin,
  }: SystemRecordingOptions<AnyActorLogic>,
  machines: TraceHeader['machines'],
  sources: TraceHeader['sources'],
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
    ...(sources && { sources }),
    redaction: toRedaction(redact),
    ...(steps === false && { steps }),
    ...(steps !== false && { outputs: true as const }),
    ...(platform && { platform: true as const }),
    ...(origin && { branchOf: origin.branchOf }),
  }
}

function createRoot(
  logic: AnyActorLogic,
  { actorOptions, inspect }: SystemRecordingOptions<AnyActorLogic>,
  { timers, tap, ...taps }: Taps,
  report: (message: string) => void,
): Actor<AnyActorLogic> {
  const theirs = inspect && watchedInspector(inspect, report)
  const ours = (event: InspectionEvent) => {
    try {
      taps.inspect(event)
    } catch (error) {
      // Errors must never reach the system: XState would put the actor in its error state.
      report(couldNotRecord(error))
    }
  }
  let actor: Actor<AnyActorLogic> | undefined
  const all = (event: InspectionEvent) => {
    ours(event)
    tap.inspecting(() => theirs?.(event))
  }
  let isDirect = theirs !== undefined
  const first = (event: InspectionEvent) => {
    if (!isDirect && event.type === '@xstate.actor')
      inspectDirectly(event.actorRef as AnyActorRef, ours, report)
    isDirect = true
    ours(event)
  }
  tap.run(() => {
    const options = { ...actorOptions, clock: timers.clock, inspect: theirs ? all : first }
    actor = createActor(logic, options as object)
  })
  return actor as Actor<AnyActorLogic>
}

/** Returns the current trace; only bookmarks on its steps are still added. */
function freeze(trace: ReplayableTrace): ReplayableTrace {
  const { length } = trace.steps
  return {
    ...trace,
    actors: [...trace.actors],
    stimuli: [...trace.stimuli],
    steps: [...trace.steps],
    tape: [...trace.tape],
    keyframes: [...trace.keyframes],
    damage: [...trace.damage],
    get bookmarks() {
      return trace.bookmarks.filter(({ step }) => step < length)
    },
  }
}

const NAMES = [
  'header',
  'actors',
  'stimuli',
  'steps',
  'damage',
  'tape',
  'hashes',
  'keyframes',
  'bookmarks',
  'end',
] as const

/** Returns one stable object that always shows the current recording. */
function facade(current: () => ReplayableTrace): ReplayableTrace {
  const { version, subscribe } = current()
  const batch: ReplayableTrace['batch'] = most => batchOf(current(), most)
  const base = inBatches({ live: true, version, subscribe }, batch)
  for (const name of NAMES)
    Object.defineProperty(base, name, { get: () => current()[name], enumerable: true })
  return base as ReplayableTrace
}

/** Stimuli per keyframe; a few milliseconds of replay. */
const EVERY = 4096

/** Without steps, only keyframes show where a replay diverges, so they are closer together. */
const EVERY_UNSEEN = 1024

/** Minimum stimuli until the next keyframe, per actor and name in the last one. */
const SHARE = 8

/** Decides when the next keyframe is due. */
class KeyframePace {
  readonly #every: number
  readonly #isFixed: boolean
  #due: number

  /** `every` is the app's setting. */
  constructor(every: number | undefined, hasSteps: boolean) {
    this.#every = every ?? (hasSteps ? EVERY : EVERY_UNSEEN)
    this.#isFixed = hasSteps || every !== undefined
    this.#due = this.#every
  }

  /** Whether a keyframe is due after this many stimuli. */
  isDue(length: number): boolean {
    return length >= this.#due
  }

  /**
   * Call this after a keyframe with `size` actors and names was taken, or when the recording begins with one.
   */
  taken(length: number, size: number): void {
    this.#due = length + (this.#isFixed ? this.#every : Math.max(this.#every, size * SHARE))
  }

  /**
   * Call this if the system could not be restored from its current state; the blocking actor may soon be
   * gone.
   */
  missed(length: number): void {
    this.#due = length + Math.ceil(this.#every / 16)
  }
}
