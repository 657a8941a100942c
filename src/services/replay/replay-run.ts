// One replay: the same logic without the code that touches the world, fed with what a trace recorded, step by step.
import { createActor, createEmptyActor } from 'xstate'
import type { Actor, AnyActorLogic, AnyActorRef, AnyEventObject, InspectionEvent, Snapshot } from 'xstate'
import { decodeValue, encodeValue } from '../../trace/codec.ts'
import type { KeyframeRecord, Phase, ReplayableTrace, Stimulus, TraceHeader } from '../../trace/format.ts'
import { withEnvironment } from '../ambient-env.ts'
import { createFeed } from '../feed.ts'
import { systemCharts } from '../machine-chart.ts'
import { createRegistry } from '../recording/actor-registry.ts'
import type { Known, Registry } from '../recording/actor-registry.ts'
import { Viewer } from '../recording/actor-viewer.ts'
import { capture, stubLeaf } from '../recording/capture.ts'
import type { CodeHook } from '../recording/capture.ts'
import { logicKind } from '../recording/logic-kind.ts'
import { RepeatedObservers } from '../recording/observers.ts'
import { createPlainer } from '../recording/plain.ts'
import { createTimerTable } from '../recording/timers.ts'
import { TraceLog } from '../recording/trace-log.ts'
import { withRelay } from '../system-parts.ts'
import type { ComposeSystem, Environment, Relay } from '../system-parts.ts'
import { groupAnchored, replayedEnvironment, reviveActors } from './input.ts'
import { restoredTree } from './restored-tree.ts'
import type { RestoredTree } from './restored-tree.ts'

export interface ReplayRunOptions {
  /** Begins here, instead of at the trace's beginning; one of its keyframes. */
  readonly from?: KeyframeRecord | undefined
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
  readonly #timers = createTimerTable()
  readonly #anchored: ReadonlyMap<string, readonly Stimulus[]>
  readonly #log: TraceLog
  readonly #env: Environment
  readonly #hook: CodeHook = {
    next: (self, phase) => (this.#viewer.muted ? 0 : this.#registry.of(self).counts[phase]++),
    around: (self, phase, n) => void this.#repeat(this.#registry.of(self), phase, n),
    leaf: logic => stubLeaf(logic, logicKind(logic), this.#hook),
    observers: self => new RepeatedObservers(self, this.#hook),
  }
  #relay: Relay | undefined
  #time = 0

  /** Puts the system together; a trace held in memory is not changed by the replay. */
  constructor(
    recorded: ReplayableTrace,
    system: AnyActorLogic | ComposeSystem,
    options: ReplayRunOptions = {},
  ) {
    this.#recorded = recorded
    this.#keyframe = copy(options.from ?? originOf(recorded))
    const { at = 0, views = 0, tape = 0, names = {} } = this.#keyframe ?? {}
    this.first = { stimulus: at, view: views }
    this.#anchored = groupAnchored(recorded)
    this.#registry = createRegistry({
      keepEnded: true,
      onActor: known => void (this.#viewer.muted || this.#log.actor(known)),
      restored: ref => this.#tree?.entries.get(persistedOf(ref))?.path,
      names,
    })
    const show = (view: Parameters<TraceLog['view']>[0]) => this.#log.view(view)
    this.#viewer = new Viewer(this.#registry, () => this.#time, show)
    this.#viewer.muted = this.#keyframe !== undefined
    this.#env = replayedEnvironment(recorded.tape.slice(tape), this.problems)
    const logic =
      typeof system === 'function' ? system({ env: this.#env, leaf: (_name, leaf) => leaf }) : system
    this.#tree = this.#keyframe && restoredTree(this.#keyframe, recorded.actors, logic)
    for (const name of this.#tree?.missing ?? []) this.problems.push(`there is no logic ${name} here`)
    const header: TraceHeader = { ...recorded.header, machines: systemCharts(logic) }
    const { redactor } = createPlainer(this.#registry)
    this.#log = new TraceLog({ header, redactor, feed: createFeed() })
    this.actor = this.#createActor(logic)
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
      this.#viewer.during(-1, 'none', () => this.#repeat(root, 'start', 1))
      this.#viewer.during(-1, 'none', () => void this.actor.start())
    })
  }

  /** Repeats one stimulus. Anchored ones are passed over: they come again by themselves. */
  step(stimulus: Stimulus): void {
    this.#time = stimulus.t
    if (!stimulus.anchor) this.#settled(() => this.#perform(stimulus, 'outside'))
  }

  #settled(fn: () => void): void {
    withEnvironment(this.#env, fn)
    this.#viewer.settle(this.#registry.of(this.actor))
    this.#log.settle()
  }

  #createActor(logic: AnyActorLogic): Actor<AnyActorLogic> {
    const { input, systemId } = this.#recorded.header
    const id = decodeURIComponent(this.#recorded.actors[0]?.path ?? 'system')
    const begin = this.#tree
      ? { snapshot: this.#tree.snapshot }
      : input === undefined
        ? {}
        : { input: copy(input) }
    const options = {
      id,
      ...(systemId !== undefined && { systemId }),
      ...begin,
      clock: this.#timers.clock,
      inspect: this.#inspect,
      logger: () => undefined,
    }
    return withEnvironment(this.#env, () => createActor(logic, options as object))
  }

  readonly #inspect = (event: InspectionEvent): void => {
    if (event.type === '@xstate.actor') this.#captured(event.actorRef as AnyActorRef)
    this.#viewer.inspect(event)
  }

  #captured(ref: AnyActorRef): void {
    if (!this.#relay) {
      this.#timers.attach(ref)
      this.#relay = this.#takeOverRelay(ref)
    }
    this.#registry.of(ref)
    if (this.#viewer.muted) rename(ref, this.#tree?.entries.get(persistedOf(ref))?.path)
    capture(ref, this.#hook)
  }

  /** What is sent without a sender comes from code that runs in a replay too. */
  #takeOverRelay(root: AnyActorRef): Relay {
    const system = withRelay(root.system)
    const relay = system._relay
    system._relay = (source, target, event) => {
      if (!this.#viewer.muted) relay(source, target, event)
    }
    return relay
  }

  #repeat(known: Known, phase: Phase, n: number): void {
    if (this.#viewer.muted) return
    for (const stimulus of this.#anchored.get(`${known.path}|${phase}|${n}`) ?? []) {
      if (stimulus.threw) throw copy(stimulus.threw).error
      const isOwn = stimulus.anchor?.in === undefined && stimulus.kind === 'leaf'
      this.#perform(stimulus, isOwn ? 'inside' : 'outside')
    }
  }

  #perform(stimulus: Stimulus, origin: 'inside' | 'outside'): void {
    const { seq, kind, ordinal, from } = stimulus
    const run = (fn: () => void) => this.#viewer.during(seq, kind === 'stop' ? 'none' : origin, fn)
    if (kind === 'stop') return run(() => void this.actor.stop())
    if (kind === 'timer') return run(() => this.#fire(ordinal ?? -1))
    const to = this.#find(stimulus.to)
    const source = from === undefined ? undefined : this.#findSender(from)
    if (!to || (from !== undefined && !source)) return
    const event = reviveActors(copy(stimulus.event), path => this.#registry.byPath(path)?.ref)
    run(() => this.#relay?.(source, to, event as AnyEventObject))
  }

  #fire(ordinal: number): void {
    // A timer from before the keyframe whose actor was gone by then fires into the void, as it did then.
    const gone = ordinal < (this.#keyframe?.nextOrdinal ?? 0)
    if (!this.#timers.fire(ordinal) && !gone)
      this.problems.push(`timer ${ordinal} fired, but is not set here`)
  }

  #find(index: number): AnyActorRef | undefined {
    const path = this.#recorded.actors[index]?.path ?? `number ${index}`
    const ref = this.#registry.byPath(path)?.ref
    if (!ref) this.problems.push(`there is no actor ${path} here`)
    return ref
  }

  /** An actor that had ended before the keyframe, but whose code still talks, is only a name. */
  #findSender(index: number): AnyActorRef | undefined {
    const entry = this.#recorded.actors[index]
    if (this.#keyframe && entry && !this.#registry.byPath(entry.path)?.ref) {
      const known = this.#registry.byPath(entry.path)
      if (known) this.#registry.embody(known, createEmptyActor())
      else this.#registry.adopt(createEmptyActor(), entry)
    }
    return this.#find(index)
  }

  #restore(keyframe: KeyframeRecord): void {
    const root = this.actor
    if ((root.getSnapshot() as Snapshot<unknown>).status === 'active') root.start()
    const entries = this.#recorded.actors.slice(0, keyframe.actors)
    for (const { path } of entries) this.#reviveState(this.#registry.byPath(path)?.ref)
    for (const { ordinal, source, target, event, delay, id } of keyframe.timers) {
      const [by, to] = [this.#find(source), this.#find(target)]
      this.#timers.next = ordinal
      if (by && to) root.system.scheduler.schedule(by, to, event as AnyEventObject, delay, id)
    }
    this.#timers.next = keyframe.nextOrdinal
    for (const { actor, transitions, actions = 0, snapshots = 0, emits = 0 } of keyframe.leaves) {
      const known = this.#registry.byPath(entries[actor]?.path ?? '')
      if (known)
        Object.assign(known.counts, {
          transition: transitions,
          action: actions,
          snapshot: snapshots,
          emit: emits,
        })
    }
    this.#viewer.muted = false
    const known = entries.map(
      entry => this.#registry.byPath(entry.path) ?? this.#registry.adopt(undefined, entry),
    )
    this.#present(known, keyframe)
  }

  /** A recording that begins with a keyframe shows the actors as they are; one along the way shows nothing. */
  #present(known: readonly Known[], keyframe: KeyframeRecord): void {
    this.#viewer.next = keyframe.views
    this.#log.continue(keyframe)
    for (const entry of known) this.#log.actor(entry)
    const living = known.filter(entry => entry.ref)
    if (keyframe.at === 0 && keyframe.views === 0) this.#viewer.present(living)
    else this.#viewer.remember(living)
  }

  /** References to actors in what a keyframe held are actors again. */
  #reviveState(ref: AnyActorRef | undefined): void {
    const snapshot = ref?.getSnapshot() as Snapshot<unknown> & { context?: unknown; input?: unknown }
    const find = (path: string) => this.#registry.byPath(path)?.ref
    for (const part of [snapshot?.context, snapshot?.input, snapshot?.output]) reviveActors(part, find)
  }
}

/** A recording that was started on a running system begins with a keyframe. */
function originOf({ keyframes: [first] }: ReplayableTrace): KeyframeRecord | undefined {
  return first?.at === 0 ? first : undefined
}

function persistedOf(ref: AnyActorRef): unknown {
  return (ref as AnyActorRef & { readonly options?: { readonly snapshot?: unknown } }).options?.snapshot
}

/** An actor without an id of its own went by its session, which stands in traces as its path. */
function rename(ref: AnyActorRef, path: string | undefined): void {
  if (path === undefined || !/(?:^|\/)~[^/]*$/.test(path)) return
  const actor = ref as unknown as { id: string; readonly _actorScope: { id: string } }
  actor.id = path
  actor._actorScope.id = path
}

function copy<T>(value: T): T {
  return value === undefined ? value : (decodeValue(encodeValue(value)) as T)
}
