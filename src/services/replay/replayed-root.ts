// The root of a replay: made like any actor, with every actor of its system captured before it begins.
import { createActor } from 'xstate'
import type { Actor, AnyActorLogic, AnyActorRef, InspectionEvent } from 'xstate'
import type { ReplayableTrace } from '../../trace/format.ts'
import type { Registry } from '../recording/actor-registry.ts'
import type { Viewer } from '../recording/actor-viewer.ts'
import { capture, stubLeaf } from '../recording/capture.ts'
import type { CodeHook } from '../recording/capture.ts'
import { inspectDirectly } from '../recording/inspection.ts'
import { isStimulus } from '../recording/tap-parts.ts'
import { rename } from '../recording/restored-names.ts'
import type { TimerTable } from '../recording/timers.ts'
import { withRelay } from '../system-parts.ts'
import type { Relay } from '../system-parts.ts'
import { copy } from './input.ts'
import { RepeatedObservers } from './repeated-observers.ts'
import type { Rounds } from './repeated-observers.ts'
import type { Repeater } from './repeater.ts'

/** What takes part in the making of a root. */
export interface RootParts {
  readonly registry: Registry
  readonly viewer: Viewer
  readonly timers: TimerTable
  readonly repeater: Repeater
  /** The path of an actor that a keyframe brings back. */
  readonly pathOf: (ref: AnyActorRef) => string | undefined
}

/** Makes the root of one replay. */
export class ReplayedRoot {
  /** The system's own relay; there as soon as the root is. */
  relay: Relay | undefined
  readonly #parts: RootParts
  readonly #hook: CodeHook & Rounds
  /** Whether the code that runs is a leaf's: what it sends has been repeated already. */
  #isRepeated = false
  readonly #stubs = new WeakMap<AnyActorLogic, AnyActorLogic>()

  constructor(parts: RootParts) {
    const { registry, viewer, repeater } = parts
    this.#parts = parts
    this.#hook = {
      next: (self, phase) => (viewer.muted ? 0 : registry.of(self).counts[phase]++),
      around: (self, phase, n) => repeater.repeat(registry.of(self), phase, n),
      rerun: code => this.#rerun(code),
      isIdle: self => !repeater.speaks(registry.of(self)),
      leaf: logic => this.#stub(logic),
      observers: self => new RepeatedObservers(self, this.#hook),
    }
  }

  /** Creates the root, not started; `look` sees everything that XState tells. */
  create(
    logic: AnyActorLogic,
    { header: { input, systemId }, actors }: ReplayableTrace,
    snapshot: object | undefined,
    look: (event: InspectionEvent) => void,
  ): Actor<AnyActorLogic> {
    const begin = snapshot ? { snapshot } : input === undefined ? {} : { input: copy(input) }
    const hear = (event: InspectionEvent) => {
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
        if (!this.relay) inspectDirectly(event.actorRef as AnyActorRef, hear, () => undefined)
        hear(event)
      },
      logger: () => undefined,
    }
    return createActor(logic, options as object)
  }

  /** Actors that run the same logic run the same stub. */
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

  /** What is sent without a sender comes from code that runs in a replay too. Nothing leaves the system. */
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
