// The root of a replay: a regular actor, with every actor of its system captured before it starts.
import {
  createActor,
  type Actor,
  type AnyActorLogic,
  type AnyActorRef,
  type InspectionEvent,
  type Observer,
} from 'xstate'
import type { ReplayableTrace } from '../../../trace/index.ts'
import {
  capture,
  type CodeHook,
  inspectDirectly,
  isStimulus,
  type Registry,
  rename,
  stubLeaf,
  type TimerTable,
  type Viewer,
} from '../../recording/index.ts'
import { type Relay, withRelay } from '../../runtime/index.ts'
import { copy } from './input.ts'
import type { Repeater } from './repeater.ts'

/** Parts that are needed to create a root. */
export interface RootParts {
  readonly registry: Registry
  readonly viewer: Viewer
  readonly timers: TimerTable
  readonly repeater: Repeater
  /** Returns the path of a restored actor. */
  readonly pathOf: (ref: AnyActorRef) => string | undefined
}

/** Creates the root of a replay. */
export class ReplayedRoot {
  /** The system's own relay; set when the root is created. */
  relay: Relay | undefined
  readonly #parts: RootParts
  readonly #hook: CodeHook & Rounds
  /** Whether a leaf's code is running, whose events have already been repeated. */
  #isRepeated = false
  readonly #stubs = new WeakMap<AnyActorLogic, AnyActorLogic>()

  constructor(parts: RootParts) {
    const { registry, viewer, repeater } = parts
    this.#parts = parts
    this.#hook = {
      next: (self, phase) => (viewer.muted ? 0 : registry.of(self).counts[phase]++),
      around: (self, phase, n) => repeater.repeat(registry.of(self), phase, n),
      rerun: code => this.#rerun(code),
      isIdle: self => !repeater.emits(registry.of(self)),
      leaf: logic => this.#stub(logic),
      observers: self => new RepeatedObservers(self, this.#hook),
    }
  }

  /** Creates the root without starting it; `look` receives every inspection event. */
  create(
    logic: AnyActorLogic,
    { header: { input, systemId }, actors }: ReplayableTrace,
    snapshot: object | undefined,
    look: (event: InspectionEvent) => void,
  ): Actor<AnyActorLogic> {
    const begin = snapshot ? { snapshot } : input === undefined ? {} : { input: copy(input) }
    const inspect = (event: InspectionEvent) => {
      look(event)
      if (event.type === '@xstate.actor') this.#captured(event.actorRef as AnyActorRef)
      this.#parts.viewer.inspect(event)
    }
    const options = {
      id: decodeURIComponent(actors[0]?.path ?? 'system'),
      ...(systemId !== undefined && { systemId }),
      ...begin,
      clock: this.#parts.timers.clock,
      inspect: (event: InspectionEvent) => {
        if (!this.relay) inspectDirectly(event.actorRef as AnyActorRef, inspect, () => undefined)
        inspect(event)
      },
      logger: () => undefined,
    }
    return createActor(logic, options as object)
  }

  /** Actors with the same logic share one stub. */
  #stub(logic: AnyActorLogic): AnyActorLogic {
    const known = this.#stubs.get(logic)
    if (known) return known
    const stub = stubLeaf(logic, this.#hook)
    this.#stubs.set(logic, stub)
    return stub
  }

  #captured(ref: AnyActorRef): void {
    const { registry, viewer, timers, pathOf } = this.#parts
    if (!this.relay) {
      timers.attach(ref)
      this.relay = this.#takeOverRelay(ref)
    }
    registry.of(ref)
    if (viewer.muted) rename(ref, pathOf(ref))
    capture(ref, this.#hook)
  }

  /** Events without a sender come from code that also runs in a replay. No event leaves the system. */
  #takeOverRelay(root: AnyActorRef): Relay {
    const { viewer, registry, repeater } = this.#parts
    const system = withRelay(root.system)
    const relay = system._relay
    system._relay = (source, target, event) => {
      if (viewer.muted || (this.#isRepeated && isStimulus(source && registry.of(source), event))) return
      if (registry.isOwn(target)) relay(source, target, event)
      else repeater.leaves(source, target, event)
    }
    return relay
  }

  #rerun<T>(code: () => T): T {
    const before = this.#isRepeated
    this.#isRepeated = true
    try {
      return code()
    } finally {
      this.#isRepeated = before
    }
  }
}

/** How the rounds of an actor are repeated. */
interface Rounds extends Pick<CodeHook, 'around' | 'next'> {
  /** Whether no code of this actor ever had an effect. */
  readonly isIdle: (self: AnyActorRef) => boolean
}

const nothing = () => undefined

/** For actors whose observers had no effect. */
const IDLE: readonly Observer<unknown>[] = [{ next: nothing, error: nothing, complete: nothing }]

class RepeatedObservers extends Set<Observer<unknown>> {
  readonly #self: AnyActorRef
  readonly #rounds: Rounds

  constructor(self: AnyActorRef, rounds: Rounds) {
    super()
    this.#self = self
    this.#rounds = rounds
  }

  /** Never empty, because XState would otherwise report errors as uncaught. */
  override get size(): number {
    return super.size + 1
  }

  /** XState iterates over the observers once per notification. */
  override [Symbol.iterator](): SetIterator<Observer<unknown>> {
    const n = this.#rounds.next(this.#self, 'snapshot')
    if (super.size === 0 && this.#rounds.isIdle(this.#self)) return IDLE.values()
    return this.#round(n)
  }

  *#round(n: number): SetIterator<Observer<unknown>> {
    yield* super[Symbol.iterator]()
    const repeat = () => this.#rounds.around(this.#self, 'snapshot', n, nothing)
    yield { next: repeat, error: repeat, complete: repeat }
  }
}
