// One replay: the same machines with stubbed leaves, fed with what a trace recorded, step by step.
import { createActor, createEmptyActor } from 'xstate'
import type { Actor, AnyActorLogic, AnyActorRef, AnyEventObject, AnyStateMachine, Snapshot } from 'xstate'
import { decodeValue, encodeValue } from '../../trace/codec.ts'
import { createFeed } from '../feed.ts'
import type { KeyframeRecord, Phase, ReplayableTrace, Stimulus, TraceHeader } from '../../trace/format.ts'
import { createRegistry } from '../recording/actor-registry.ts'
import type { Known, Registry } from '../recording/actor-registry.ts'
import { Viewer } from '../recording/actor-viewer.ts'
import { leafKind, stubLeaf } from '../recording/leaf.ts'

import { machineCharts } from '../machine-chart.ts'
import { createPlainer } from '../recording/plain.ts'
import { groupAnchored, replayedEnvironment, reviveActors } from './input.ts'
import { withRelay } from '../system-parts.ts'
import type { ComposeSystem, Relay } from '../system-parts.ts'
import { createTimerTable } from '../recording/timers.ts'
import { TraceLog } from '../recording/trace-log.ts'

/** A replay under way: `start`, then `step` for each stimulus of the trace in its order. */
export class ReplayRun {
  /** What could not be done as recorded, in sentences: a divergence even where the views agree. */
  readonly problems: string[] = []
  readonly actor: Actor<AnyStateMachine>
  readonly #recorded: ReplayableTrace
  readonly #keyframe: KeyframeRecord | undefined
  readonly #registry: Registry
  readonly #viewer: Viewer
  readonly #timers = createTimerTable()
  readonly #anchored: ReadonlyMap<string, readonly Stimulus[]>
  readonly #log: TraceLog
  readonly #relay: Relay
  #time = 0

  /** Puts the system together; a trace held in memory is not changed by the replay. */
  constructor(recorded: ReplayableTrace, compose: ComposeSystem) {
    this.#recorded = recorded
    this.#keyframe = originOf(recorded)
    this.#anchored = groupAnchored(recorded)
    const restored = recorded.actors.slice(0, this.#keyframe?.actors ?? 0).map(entry => entry.path)
    const names = this.#keyframe?.names ?? {}
    const onActor = (known: Known) => void (this.#viewer.muted || this.#log.actor(known))
    this.#registry = createRegistry({ keepEnded: true, onActor, restored, names })
    this.#viewer = new Viewer(
      this.#registry,
      () => this.#time,
      view => this.#log.view(view),
    )
    this.#viewer.muted = this.#keyframe !== undefined
    const env = replayedEnvironment(recorded.tape, this.problems)
    const machine = compose({ env, leaf: (name, logic) => this.#stub(name, logic) })
    const header: TraceHeader = { ...recorded.header, machines: machineCharts(machine) }
    const { redactor } = createPlainer(this.#registry)
    this.#log = new TraceLog({ header, redactor, feed: createFeed() })
    this.actor = this.#createActor(machine)
    this.#timers.attach(this.actor)
    this.#relay = this.#takeOverRelay()
  }

  /** What the replayed system did so far, in the form of a recording. */
  get trace(): ReplayableTrace {
    return this.#log.trace
  }

  /** Starts the system, or restores it from the keyframe. */
  start(): void {
    const keyframe = this.#keyframe
    this.#settled(() => {
      if (keyframe) this.#restore(keyframe)
      else this.#viewer.during(-1, 'none', () => void this.actor.start())
    })
  }

  /** Repeats one stimulus. Anchored ones are passed over: they come again by themselves. */
  step(stimulus: Stimulus): void {
    this.#time = stimulus.t
    if (!stimulus.anchor) this.#settled(() => this.#perform(stimulus, 'outside'))
  }

  #settled(fn: () => void): void {
    fn()
    this.#viewer.settle(this.#registry.of(this.actor))
    this.#log.settle()
  }

  #stub<L extends AnyActorLogic>(name: string, logic: L): L {
    const kind = leafKind(logic)
    if (!kind) return logic
    const stub = stubLeaf(logic, kind, (self, phase) => this.#repeat(self, phase))
    this.#registry.leaf(stub, { name, kind })
    return stub
  }

  #createActor(machine: AnyStateMachine): Actor<AnyStateMachine> {
    const begin = this.#keyframe
      ? { snapshot: this.#keyframe.snapshot as Snapshot<unknown> }
      : { input: copy(this.#recorded.header.input) }
    const { clock } = this.#timers
    const { inspect } = this.#viewer
    const actor = createActor(machine, { id: machine.id, clock, inspect, logger: () => undefined, ...begin })
    // Without a listener XState would throw the root's error at the process.
    actor.subscribe({ error: () => undefined })
    return actor
  }

  /** Messages out of nowhere were recorded as stimuli of their own, so machines must not send them again. */
  #takeOverRelay(): Relay {
    const system = withRelay(this.actor.system)
    const relay = system._relay
    system._relay = (source, target, event) => {
      if (source && !this.#viewer.muted) relay(source, target, event)
    }
    return relay
  }

  #repeat(self: AnyActorRef, phase: Phase): void {
    if (this.#viewer.muted) return
    const known = this.#registry.of(self)
    const n = phase === 'start' ? 0 : known.transitions++
    for (const stimulus of this.#anchored.get(`${known.path}|${phase}|${n}`) ?? []) {
      if (stimulus.threw) throw copy(stimulus.threw).error
      this.#perform(
        stimulus,
        stimulus.anchor?.in === undefined && stimulus.kind === 'leaf' ? 'inside' : 'outside',
      )
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
    run(() => this.#relay(source, to, event as AnyEventObject))
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
    if (this.#keyframe && entry && !this.#registry.byPath(entry.path)) {
      this.#registry.adopt(createEmptyActor(), entry)
    }
    return this.#find(index)
  }

  #restore(keyframe: KeyframeRecord): void {
    if (this.actor.getSnapshot().status === 'active') this.actor.start()
    const origin = this.#recorded.actors
      .slice(0, keyframe.actors)
      .map(entry => this.#registry.byPath(entry.path))
    for (const { ordinal, source, target, event, delay, id } of keyframe.timers) {
      const [by, to] = [this.#find(source), this.#find(target)]
      this.#timers.next = ordinal
      if (by && to) this.actor.system.scheduler.schedule(by, to, event as AnyEventObject, delay, id)
    }
    this.#timers.next = keyframe.nextOrdinal
    for (const { actor, transitions } of keyframe.leaves) {
      const leaf = origin[actor]
      if (leaf) leaf.transitions = transitions
    }
    const known = origin.filter(entry => entry !== undefined)
    for (const entry of known) this.#log.actor(entry)
    this.#viewer.muted = false
    this.#viewer.present(known)
  }
}

/** A recording that was started on a running system begins with a keyframe. */
function originOf({ keyframes: [first] }: ReplayableTrace): KeyframeRecord | undefined {
  return first?.at === 0 ? copy(first) : undefined
}

function copy<T>(value: T): T {
  return decodeValue(encodeValue(value)) as T
}
