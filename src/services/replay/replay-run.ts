// One replay: the same logic without the code that touches the world, fed with what a trace recorded, step by step.
import type { Actor, AnyActorLogic, InspectionEvent } from 'xstate'
import type { KeyframeRecord, ReplayableTrace, Stimulus, TapeEntry, TraceHeader } from '../../trace/format.ts'
import { policyOf } from '../../trace/secrets.ts'
import { withEnvironment } from '../ambient-env.ts'
import { createFeed } from '../feed.ts'
import { systemCharts } from '../machine-chart.ts'
import { createRegistry } from '../recording/actor-registry.ts'
import type { Known, Registry } from '../recording/actor-registry.ts'
import { Viewer } from '../recording/actor-viewer.ts'
import { takeKeyframe } from '../recording/keyframe.ts'
import { createPlainer } from '../recording/plain.ts'
import { persistedOf } from '../recording/restored-names.ts'
import { createTimerTable } from '../recording/timers.ts'
import { TraceLog } from '../recording/trace-log.ts'
import type { ComposeSystem, Environment } from '../system-parts.ts'
import { asRecorded } from './as-recorded.ts'
import { copy } from './input.ts'
import { liveActors } from './live-actors.ts'
import type { LiveActor } from './live-actors.ts'
import { ExactPlacing } from './placing.ts'
import type { Placing, SetTimer, SetTimers } from './placing.ts'
import { Repeater } from './repeater.ts'
import { ReplayedRoot } from './replayed-root.ts'
import { originOf, restore } from './restoring.ts'
import { restoredTree } from './restored-tree.ts'
import type { RestoredTree } from './restored-tree.ts'

export interface ReplayRunOptions {
  /** Begins here, instead of at the trace's beginning; one of its keyframes. */
  readonly from?: KeyframeRecord | undefined
  /** Finds the actors and timers that the records speak of; where they were unless told. */
  readonly placing?: Placing
  /** Sees everything that XState tells of the system, and each actor before it begins. */
  readonly inspect?: (event: InspectionEvent) => void
}

/** A replay under way: `start`, then `step` for each stimulus of the trace (from the keyframe on) in its order. */
export class ReplayRun {
  /** What could not be done as recorded, in sentences: a divergence even where the views agree. */
  readonly problems: string[] = []
  readonly actor: Actor<AnyActorLogic>
  /** `seq` of the stimulus with which this replay begins, and of the first view that it shows. */
  readonly first: { readonly stimulus: number; readonly view: number }
  readonly #recorded: ReplayableTrace
  readonly #keyframe: KeyframeRecord | undefined
  readonly #tree: RestoredTree | undefined
  readonly #registry: Registry
  readonly #viewer: Viewer
  readonly #timers = createTimerTable({ now: () => this.#repeater.time })
  readonly #repeater: Repeater
  readonly #log: TraceLog
  readonly #plain: (value: unknown) => unknown
  readonly #placing: Placing
  readonly #root: ReplayedRoot
  readonly #env: Environment

  /** Puts the system together; a trace held in memory is not changed by the replay. */
  constructor(
    recorded: ReplayableTrace,
    system: AnyActorLogic | ComposeSystem,
    options: ReplayRunOptions = {},
  ) {
    this.#recorded = recorded
    this.#keyframe = copy(options.from ?? originOf(recorded))
    const { at = 0, views = 0, names = {} } = this.#keyframe ?? {}
    this.first = { stimulus: at, view: views }
    this.#placing = options.placing ?? new ExactPlacing(recorded, this.problems, this.#keyframe)
    this.#registry = createRegistry({
      keepEnded: true,
      onActor: known => this.#appeared(known),
      restored: ref => this.#tree?.entries.get(persistedOf(ref))?.path,
      names,
    })
    const show = (view: Parameters<TraceLog['view']>[0]) => this.#log.view(view)
    this.#viewer = new Viewer(this.#registry, () => this.#repeater.time, show)
    this.#viewer.muted = this.#keyframe !== undefined
    this.#repeater = new Repeater({
      recorded,
      keyframe: this.#keyframe,
      placing: this.#placing,
      registry: this.#registry,
      viewer: this.#viewer,
      timers: this.#timers,
      log: () => this.#log,
      root: () => this.actor,
      relay: (source, target, event) => this.#root.relay?.(source, target, event),
    })
    this.#root = new ReplayedRoot({
      registry: this.#registry,
      viewer: this.#viewer,
      timers: this.#timers,
      repeater: this.#repeater,
      pathOf: ref => this.#tree?.entries.get(persistedOf(ref))?.path,
    })
    this.#env = this.#environment()
    const logic = typeof system === 'function' ? system({ env: this.#env }) : system
    this.#tree = this.#keyframe && restoredTree(this.#keyframe, recorded.actors, logic)
    for (const name of this.#tree?.missing ?? []) this.problems.push(`there is no logic ${name} here`)
    const header: TraceHeader = { ...recorded.header, machines: systemCharts(logic) }
    const { redactor } = createPlainer(this.#registry, policyOf(recorded.header.redaction))
    this.#plain = redactor.value
    this.#log = new TraceLog({
      header,
      redactor,
      feed: createFeed(),
      plainPart: asRecorded(recorded, this.#registry, redactor),
    })
    this.actor = withEnvironment(this.#env, () =>
      this.#root.create(logic, recorded, this.#tree?.snapshot, event => options.inspect?.(event)),
    )
  }

  /** The timers that are set. */
  get timers(): SetTimers {
    return this.#repeater.timers
  }

  /** What the replayed system did so far, in the form of a recording. */
  get trace(): ReplayableTrace {
    return this.#log.trace
  }

  /** Starts the system, or restores it from the keyframe. */
  start(): void {
    this.#settled(() => {
      if (this.#keyframe) return this.#restore(this.#keyframe)
      const root = this.#registry.of(this.actor)
      this.#viewer.during(-1, 'none', () => this.#repeater.repeat(root, 'start', 1))
      this.#viewer.during(-1, 'none', () => void this.actor.start())
    })
  }

  /** Repeats one stimulus. Anchored ones are passed over: they come again by themselves. */
  step(stimulus: Stimulus): void {
    this.#repeater.time = stimulus.t
    if (!stimulus.anchor) this.#settled(() => this.#repeater.perform(stimulus, 'outside'))
  }

  /** Fires a timer that was not recorded. */
  fire(timer: SetTimer, t: number): void {
    this.#repeater.time = t
    this.#settled(() => this.#repeater.fire(timer))
  }

  /** Every actor that runs, in the order of coming, as it is between two steps. */
  state(): LiveActor[] {
    const places = new Map(this.trace.actors.map(({ path }, at) => [path, at]))
    const placeOf = ({ path }: LiveActor) => places.get(path) ?? places.size
    return liveActors(this.#registry, this.#plain).toSorted((a, b) => placeOf(a) - placeOf(b))
  }

  /** The whole state between two steps; nothing when it could not be brought back. `at` is the next stimulus. */
  keyframe(at: number): KeyframeRecord | undefined {
    const { machines } = this.trace.header
    const subject = { root: this.actor, registry: this.#registry, timers: this.#timers, machines }
    let taken: KeyframeRecord | undefined
    this.#log.keyframe((place, indexOf) => {
      taken = takeKeyframe(subject, { ...place, at, tape: this.#placing.readings }, indexOf)
      return taken
    })
    return taken?.unreachable.length === 0 ? (this.#plain(taken) as KeyframeRecord) : undefined
  }

  #settled(fn: () => void): void {
    withEnvironment(this.#env, fn)
    this.#viewer.settle(this.#registry.of(this.actor))
    this.#log.settle()
  }

  #appeared(known: Known): void {
    const { muted } = this.#viewer
    const { ref } = known
    const input = () =>
      this.#plain((ref as { readonly options?: { readonly input?: unknown } })?.options?.input)
    this.#placing.appeared(known, muted, input)
    if (!muted) this.#log.actor(known)
  }

  #environment(): Environment {
    const read = (kind: TapeEntry['kind']) => {
      const value = this.#placing.read(kind)
      if (this.#placing.isFree) this.#log.tape({ line: 'tape', kind, value })
      return value
    }
    return {
      now: () => Number(read('now')),
      random: () => Number(read('random')),
      id: () => String(read('id')),
    }
  }

  #restore(keyframe: KeyframeRecord): void {
    const known = restore(keyframe, this.#recorded.actors, {
      root: this.actor,
      registry: this.#registry,
      timers: this.#timers,
      find: index => this.#placing.find(index, this.#registry)?.ref,
    })
    this.#viewer.muted = false
    this.#present(known, keyframe)
  }

  /** A recording that begins with a keyframe shows the actors as they are; one along the way shows nothing. */
  #present(known: readonly Known[], keyframe: KeyframeRecord): void {
    this.#viewer.next = keyframe.views
    this.#log.continue(keyframe)
    for (const entry of known) this.#log.actor(entry)
    const [origin] = this.#recorded.keyframes
    // A replay that goes its own way is a recording of its own, and begins as this one did.
    if (this.#placing.isFree && origin) this.#log.keyframe(() => origin)
    const living = known.filter(entry => entry.ref)
    if (keyframe.at === 0 && keyframe.views === 0) this.#viewer.present(living)
    else this.#viewer.remember(living)
  }
}
