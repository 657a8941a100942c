// One replay: runs the same logic without its effects, and repeats the recorded stimuli step by step.
import type { Actor, AnyActorLogic, AnyActorRef, InspectionEvent, Snapshot } from 'xstate'
import {
  editDistance,
  type ActorKind,
  isSameMachine,
  type KeyframeRecord,
  policyOf,
  type Redactor,
  type ReplayableTrace,
  type StateValue,
  type StepRecord,
  type Stimulus,
  standInFor,
} from '../../../trace/index.ts'
import {
  type AppClasses,
  classesOf,
  type ComposeSystem,
  createFeed,
  type Environment,
  schemasKept,
  systemCharts,
  systemSources,
  type SystemRegistry,
  tapePlatform,
  withEnvironment,
} from '../../runtime/index.ts'
import {
  type ActorRecord,
  type Armed,
  createPlainer,
  createRegistry,
  createTimerTable,
  isActor,
  type LiveStep,
  ObjectIndex,
  persistedOf,
  type PlainPart,
  plainStep,
  rawStep,
  type Registry,
  takeKeyframe,
  timerOutput,
  type TimerTable,
  TraceLog,
  Viewer,
} from '../../recording/index.ts'
import { ExactResolver, type RecordResolver, type SetTimer, type SetTimers } from './record-resolver.ts'
import { copy, originOf, restore, restoredTree, type RestoredTree } from './restoring.ts'
import type { ComparedSteps } from '../verify/comparison.ts'
import { ObjectIdentity } from './object-identity.ts'
import { Repeater } from './repeater.ts'
import { isAlike, type PathOf } from './alike.ts'

/** How a machine differs from the recorded one. Differences are reported and never prevent a replay. */
export interface MachineDifference {
  readonly id: string
  readonly difference: 'changed' | 'missing' | 'added'
}

/** The number of names in a message; tools with many systems have dozens. */
const MOST_NAMES = 5

/** The names of known systems that are most like another name, and how many others there are. */
function nearestNames(name: string, names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const near = names
    .map(one => ({ one, distance: editDistance(one, name) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MOST_NAMES)
    .map(({ one }) => one)
  const others = names.length - near.length
  return `${near.join(', ')}${others === 0 ? '' : `, and ${others} more`}`
}

/** Returns the system to replay a trace with, or the reason why there is none. */
export function findSystem(
  { header: { system }, keyframes }: ReplayableTrace,
  systems: SystemRegistry,
): { readonly system: AnyActorLogic | ComposeSystem } | { readonly reason: string } {
  const found = Object.hasOwn(systems, system) ? systems[system] : undefined
  if (!found) {
    return { reason: `unknown system "${system}"; known here: ${nearestNames(system, Object.keys(systems))}` }
  }
  const unreachable = keyframes[0]?.at === 0 ? keyframes[0].unreachable : []
  if (unreachable.length === 0) return { system: found }
  const names = unreachable.join(', ')
  return { reason: `it begins during a run, with actors that no parent references: ${names}` }
}

type WithHeader = Pick<ReplayableTrace, 'header'>

/** Compares the charts of a trace with those of a replay. */
export function compareMachines(recorded: WithHeader, here: WithHeader): MachineDifference[] {
  const [then, now] = [recorded.header.machines, here.header.machines]
  const ids = [...new Set([...Object.keys(then), ...Object.keys(now)])]
  return ids.flatMap((id): MachineDifference[] => {
    if (!now[id]) return [{ id, difference: 'missing' }]
    if (!then[id]) return [{ id, difference: 'added' }]
    return isSameMachine(then[id], now[id]) ? [] : [{ id, difference: 'changed' }]
  })
}

/** Options of `ReplayRun`. */
export interface ReplayRunOptions {
  /** One of the trace's keyframes to begin at, instead of the beginning. */
  readonly from?: KeyframeRecord | undefined
  /** Finds the actors and timers of records. By default, expects them exactly as recorded. */
  readonly resolver?: RecordResolver
  /** Receives every inspection event, and each actor before it starts. */
  readonly inspect?: (event: InspectionEvent) => void
  /** Receives each step when its stimulus is processed. The run's own trace then has no steps. */
  readonly show?: (step: LiveStep) => void
  /** Called for each event sent to another system. These events are not delivered. */
  readonly onSend?: ((sent: SentEvent) => void) | undefined
  /** Called when machine code reads something from the platform that is not on the tape. */
  readonly onRead?: ((name: string) => void) | undefined
  /** Whether an ended actor is still needed. By default all are kept. */
  readonly keepEnded?: (known: ActorRecord) => boolean
}

/** An event that a replay did not deliver because its receiver belongs to another system. */
export interface SentEvent {
  /** Number of the stimulus during which it was sent; -1 for the start. */
  readonly stimulus: number
  /** Path of the sender. */
  readonly from: string
  /** Name of the receiver; `unknown` if it is no actor. */
  readonly to: string
  /** The event, with secrets removed as in a recording. */
  readonly event: { readonly type: string }
}

/** Current state of an actor. */
export interface LiveActor {
  readonly path: string
  readonly kind: ActorKind
  readonly src: string
  readonly status: Snapshot<unknown>['status']
  /** State value of a machine. */
  readonly value?: StateValue
  readonly context?: unknown
}

/**
 * A replay in progress: call `start`, then `step` for each stimulus of the trace (from the keyframe on), in
 * order.
 */
export class ReplayRun implements ComparedSteps {
  /**
   * What could not be repeated as recorded, as sentences. A problem is a divergence even if the steps match.
   */
  readonly problems: string[] = []
  readonly actor: Actor<AnyActorLogic>
  /** `seq` of the first stimulus and of the first step of this replay. */
  readonly first: { readonly stimulus: number; readonly step: number }
  readonly redactor: Redactor
  readonly #recorded: ReplayableTrace
  readonly #keyframe: KeyframeRecord | undefined
  readonly #resolver: RecordResolver
  readonly #registry: Registry
  readonly #viewer: Viewer
  readonly #timers: TimerTable
  readonly #repeater: Repeater
  readonly #identity: ObjectIdentity
  readonly #classes: AppClasses
  readonly #env: Environment
  readonly #plainPart: PlainPart
  #tree: RestoredTree | undefined
  #log: TraceLog | undefined
  /** Number of the stimulus that is being repeated. */
  #at: number

  /** Creates the system. A trace in memory is not modified by the replay. */
  constructor(
    recorded: ReplayableTrace,
    system: AnyActorLogic | ComposeSystem,
    options: ReplayRunOptions = {},
  ) {
    const { from, resolver, show, keepEnded = () => true, inspect, onSend, onRead } = options
    const keyframe = copy(from ?? originOf(recorded))
    const { at = 0, steps = 0 } = keyframe ?? {}
    this.first = { stimulus: at, step: steps }
    this.#at = at - 1
    this.#recorded = recorded
    this.#keyframe = keyframe
    this.#resolver = resolver ?? new ExactResolver(recorded, this.problems, keyframe)
    const pathThen = (ref: AnyActorRef) => this.#tree?.entries.get(persistedOf(ref))?.path
    this.#registry = createRegistry({
      keepEnded,
      onActor: known => this.#appeared(known),
      restored: pathThen,
      names: keyframe?.names ?? {},
    })
    const time = () => this.#repeater.time
    this.#viewer = new Viewer(
      this.#registry,
      time,
      show ?? (step => this.#openLog.step(step)),
      recorded.header.outputs === true || recorded.header.steps === false,
    )
    this.#timers = createTimerTable({
      now: time,
      armed: timer => this.#viewer.addOutput(this.#registry.of(timer.source), timerOutput(timer)),
    })
    this.#viewer.muted = keyframe !== undefined
    const classes = classesOf(system)
    this.#classes = classes
    this.redactor = createPlainer(this.#registry, policyOf(recorded.header.redaction), {
      encode: object => classes.encode(object),
      standIn: standInFor,
    }).redactor
    this.#identity = new ObjectIdentity(recorded, {
      find: index => this.#resolver.find(index, this.#registry)?.ref,
      pathOf: this.pathOf,
      plain: value => this.redactor.value(value),
      classes,
    })
    if (keyframe) this.#identity.restore(keyframe, (from ?? originOf(recorded))?.snapshot)
    this.#repeater = new Repeater({
      recorded,
      keyframe,
      resolver: this.#resolver,
      registry: this.#registry,
      viewer: this.#viewer,
      timers: this.#timers,
      identity: this.#identity,
      log: () => this.#openLog,
      pathOf: pathThen,
      left: ({ path }, receiver, event) =>
        onSend?.({
          stimulus: this.#at,
          from: path,
          to: this.#registry.outside(receiver),
          event: this.redactor.value(event),
        }),
    })
    this.#plainPart = asRecorded(recorded, this.pathOf, this.redactor)
    this.#env = replayEnvironment(
      this.#resolver,
      () => this.#openLog,
      recorded.header.platform === true,
      onRead,
    )
    this.actor = this.#create(typeof system === 'function' ? system({ env: this.#env }) : system, inspect)
  }

  /** The log is opened before the root is created. */
  #create(logic: AnyActorLogic, inspect: ReplayRunOptions['inspect']): Actor<AnyActorLogic> {
    const { header, actors } = this.#recorded
    const { sources: _then, ...rest } = header
    const sources = systemSources(logic)
    const tree = this.#keyframe && restoredTree(this.#keyframe, actors, logic)
    this.#tree = tree
    for (const name of tree?.missing ?? []) this.problems.push(`no logic named ${name} is available`)
    this.#log = new TraceLog({
      header: {
        ...rest,
        machines: schemasKept(systemCharts(logic), header.machines),
        ...(sources && { sources }),
      },
      redactor: this.redactor,
      feed: createFeed(),
      plainPart: this.#plainPart,
      ...(this.#resolver.isFree && { objects: new ObjectIndex(this.#registry, this.#classes) }),
    })
    tapePlatform(true)
    return withEnvironment(this.#env, () =>
      this.#repeater.create(logic, tree?.snapshot, event => inspect?.(event)),
    )
  }

  /** The active timers. */
  get timers(): SetTimers {
    return this.#repeater.timers
  }

  /** The replayed steps as a recording. */
  get trace(): ReplayableTrace {
    return this.#openLog.trace
  }

  /** Returns the number of an actor in the trace, or -1 if it is not in the trace. */
  readonly indexOf = (known: ActorRecord): number => this.#openLog.indexOf(known)

  /** Returns the path of an actor, and undefined for other objects. */
  readonly pathOf = (object: object): string | undefined =>
    isActor(object) ? this.#registry.of(object).path : undefined

  /** Converts a step to its form in the trace. */
  readonly plain = (step: LiveStep): StepRecord => plainStep(rawStep(step), this.indexOf, this.#plainPart)

  /** Starts the system, or restores it from the keyframe. */
  start(): void {
    this.#settled(() => {
      if (this.#keyframe) return this.#restore(this.#keyframe)
      const root = this.#registry.of(this.actor)
      this.#viewer.during(-1, 'none', () => this.#repeater.repeat(root, 'start', 1))
      this.#viewer.during(-1, 'none', () => void this.actor.start())
    })
  }

  /** Repeats one stimulus. Anchored stimuli are skipped, since they are repeated within their step. */
  step(stimulus: Stimulus): void {
    this.#repeater.time = stimulus.t
    this.#at = stimulus.seq
    if (!stimulus.anchor) this.#settled(() => this.#repeater.perform(stimulus, 'outside'))
  }

  /** Fires a timer that was not recorded. */
  fire(timer: SetTimer, t: number): void {
    this.#repeater.time = t
    this.#settled(() => this.#repeater.fire(timer))
  }

  /** Lets time pass without a step. */
  passTo(t: number): void {
    this.#repeater.time = Math.max(this.#repeater.time, t)
  }

  /** Returns the active timers with their remaining delays. */
  readonly armed = (): (Armed & { readonly left: number })[] =>
    this.#timers.armed().map(timer => {
      const { ordinal, source, target, event, delay, id, setAt } = timer
      return { ordinal, source, target, event, delay, id, setAt, left: this.#timers.left(timer) }
    })

  /** Every running actor, in order of creation, between two steps. */
  state(): LiveActor[] {
    const places = new Map(this.trace.actors.map(({ path }, at) => [path, at]))
    const placeOf = ({ path }: LiveActor) => places.get(path) ?? places.size
    return liveActors(this.#registry, this.redactor.value).toSorted((a, b) => placeOf(a) - placeOf(b))
  }

  /**
   * Takes a keyframe between two steps. Returns undefined if it could not be restored, unless it is only
   * compared. `at` is the number of the next stimulus.
   */
  keyframe(at: number, toCompare = false): KeyframeRecord | undefined {
    const { machines } = this.trace.header
    const subject = { root: this.actor, registry: this.#registry, timers: this.#timers, machines }
    let taken: KeyframeRecord | undefined
    this.#openLog.keyframe((place, indexOf) => {
      const bare = takeKeyframe(subject, { ...place, at, tape: this.#resolver.readings }, indexOf)
      taken = { ...bare, ...(!toCompare && this.#identity.inKeyframe(bare.snapshot, at)) }
      return taken
    })
    return taken && (toCompare || taken.unreachable.length === 0) ? this.redactor.value(taken) : undefined
  }

  get #openLog(): TraceLog {
    if (!this.#log) throw new Error('the replay has no log yet')
    return this.#log
  }

  #appeared(known: ActorRecord): void {
    const { muted } = this.#viewer
    const { ref } = known
    const input = () =>
      this.redactor.value((ref as { readonly options?: { readonly input?: unknown } })?.options?.input)
    this.#resolver.appeared(known, muted, input)
    if (!muted) this.#openLog.actor(known)
  }

  #settled(fn: () => void): void {
    tapePlatform()
    withEnvironment(this.#env, fn)
    this.#viewer.settle(this.#registry.of(this.actor))
    this.#openLog.settle()
  }

  #restore(keyframe: KeyframeRecord): void {
    const known = restore(keyframe, this.#recorded.actors, {
      root: this.actor,
      registry: this.#registry,
      timers: this.#timers,
      find: index => this.#resolver.find(index, this.#registry)?.ref,
    })
    this.#viewer.muted = false
    this.#present(known, keyframe)
  }

  /**
   * A keyframe at the beginning of a recording shows the state of its actors; one inside a recording shows
   * nothing.
   */
  #present(known: readonly ActorRecord[], keyframe: KeyframeRecord): void {
    const log = this.#openLog
    this.#viewer.next = keyframe.steps
    log.continue(keyframe)
    for (const entry of known) log.actor(entry)
    const [origin] = this.#recorded.keyframes
    // A replay that may diverge is a separate recording and begins like the original.
    if (this.#resolver.isFree && origin) log.keyframe(() => origin)
    const living = known.filter(entry => entry.ref)
    if (keyframe.at === 0 && keyframe.steps === 0) this.#viewer.present(living)
    else this.#viewer.remember(living)
  }
}

/** Returns the recorded form of a value that matches it, which is much cheaper than converting it again. */
function asRecorded(recorded: ReplayableTrace, pathOf: PathOf, redactor: Pick<Redactor, 'value'>): PlainPart {
  return (live, seq, part) => {
    const known = recorded.steps[seq]?.[part]
    return known !== undefined && isAlike(live, known, pathOf) ? known : redactor.value(live)
  }
}

/**
 * Reads the tape. A replay that may diverge also writes its own tape. What machine code reads from the platform
 * itself is reported if the recording did not tape it.
 */
function replayEnvironment(
  resolver: RecordResolver,
  log: () => TraceLog,
  isTaped: boolean,
  onRead: ((name: string) => void) | undefined,
): Environment {
  const read = (kind: string, real?: () => unknown) => {
    const value = resolver.read(kind, real && (() => withEnvironment(undefined, real)))
    if (resolver.isFree) log().tape({ line: 'tape', kind, value })
    return value
  }
  const reported = (name: string, real: () => unknown) => {
    onRead?.(name)
    return withEnvironment(undefined, real)
  }
  return {
    now: () => Number(read('now')),
    random: () => Number(read('random')),
    id: () => String(read('id')),
    ...(isTaped && { call: read }),
    ...(!isTaped && onRead && { call: reported }),
  }
}

/** Lists running actors; `plain` converts values to their form in traces. */
function liveActors(registry: Registry, plain: (value: unknown) => unknown): LiveActor[] {
  return [...registry.living()].flatMap(({ path, kind, src, ref }): LiveActor[] => {
    if (!ref || !isRunning(ref)) return []
    const snapshot = ref.getSnapshot() as Snapshot<unknown> & { value?: StateValue; context?: unknown }
    const { status, value, context } = snapshot
    return [
      {
        path,
        kind,
        src,
        status,
        ...(value !== undefined && { value }),
        ...(context !== undefined && { context: plain(context) }),
      },
    ]
  })
}

function isRunning(ref: AnyActorRef): boolean {
  return (ref as { readonly _processingStatus?: number })._processingStatus === 1
}
