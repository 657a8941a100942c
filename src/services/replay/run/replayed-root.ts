// The root of a replay: a regular actor, with every actor of its system captured before it starts.
import { createActor } from 'xstate'
import type { Actor, AnyActorLogic, AnyActorRef, InspectionEvent } from 'xstate'
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
import { RepeatedObservers, type Rounds } from './repeated-observers.ts'
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
