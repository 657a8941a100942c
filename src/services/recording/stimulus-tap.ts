// The tap: notes everything that enters a running system from outside, exactly where it enters.
import type { AnyActorRef, Snapshot } from 'xstate'
import type { Known, Registry } from './actor-registry.ts'
import type { Origin } from './actor-desk.ts'
import type { Viewer } from './actor-viewer.ts'
import type { Phase } from '../../trace/format.ts'
import type { LeafTap } from './leaf.ts'
import type { RawStimulus } from './plain-records.ts'
import { withRelay } from '../system-parts.ts'
import type { TraceLog } from './trace-log.ts'

type Happening = Omit<RawStimulus, 'line' | 'seq' | 't'>

interface Frame {
  readonly in: Known
  readonly phase: Phase
  readonly n: number
}

export interface StimulusTapOptions {
  readonly registry: Registry
  readonly viewer: Viewer
  /** The log to write to at this moment. */
  readonly log: () => TraceLog
  readonly now: () => number
}

/** A tap; it lets nothing past once it is attached. */
export class StimulusTap {
  /** For the leaves. */
  readonly leaf: LeafTap = {
    during: (self, phase, run) => this.#during(self, phase, run),
    emit: (source, target, event) => {
      const { registry } = this.#options
      const raw = {
        kind: 'leaf',
        from: source && registry.of(source),
        to: registry.of(target),
        event,
      } as const
      this.#pass(raw, source, () => withRelay(target.system)._relay(source, target, event))
    },
  }
  readonly #options: StimulusTapOptions
  readonly #postponed: (() => void)[] = []
  #root: AnyActorRef | undefined
  #depth = 0
  /** The leaf whose own code is running now. */
  #frame: Frame | undefined

  constructor(options: StimulusTapOptions) {
    this.#options = options
  }

  /** Takes over the system's relay. */
  attach(root: AnyActorRef): void {
    this.#root = root
    const system = withRelay(root.system)
    const relay = system._relay
    system._relay = (source, target, event) => {
      if (source) return relay(source, target, event)
      const to = this.#options.registry.of(target)
      return this.#pass({ kind: 'external', to, event }, undefined, () => relay(undefined, target, event))
    }
  }

  /** Runs a step: something that is no stimulus of its own, such as the start. */
  run(fn: () => void): void {
    const { viewer, registry, log } = this.#options
    this.#depth += 1
    try {
      fn()
    } finally {
      this.#depth -= 1
      if (this.#root) viewer.settle(registry.of(this.#root))
      log().settle()
    }
    for (let next = this.#postponed.shift(); next; next = this.#postponed.shift()) next()
  }

  /** Notes a stimulus and runs it. Not to be called inside a step. */
  stimulate(raw: Happening, origin: Origin, fn: () => void): void {
    if (!raw.to.ref) this.#lose(fn)
    else this.run(() => this.#options.viewer.during(this.#note(raw), origin, fn))
  }

  /** Runs this between two steps: now, or when the present one is over. */
  between(fn: () => void): void {
    if (this.#depth > 0) this.#postponed.push(fn)
    else fn()
  }

  /** Nobody takes what is sent to an actor that has ended, so there is nothing to repeat. */
  #lose(relay: () => void): void {
    this.#options.viewer.during(-1, 'outside', relay)
  }

  #note(raw: Happening): number {
    return this.#options.log().stimulus({ ...raw, t: this.#options.now() })
  }

  #pass(raw: Happening, from: AnyActorRef | undefined, relay: () => void): void {
    if (!raw.to.ref) this.#lose(relay)
    else if (this.#frame) this.#anchor(raw, this.#frame, relay)
    else if (this.#depth === 0) this.stimulate(raw, 'outside', relay)
    else {
      // A message out of nowhere in the midst of a step cannot be placed; after the step it can.
      this.#postponed.push(() => {
        const snapshot = from?.getSnapshot() as Snapshot<unknown> | undefined
        if (snapshot?.status !== 'stopped') this.#pass(raw, from, relay)
      })
    }
  }

  /** Inside a leaf's code the replay repeats it there; the system's code that it sets off is no leaf's code. */
  #anchor(raw: Happening, frame: Frame, fn: () => void): void {
    const origin = raw.from === frame.in ? 'inside' : 'outside'
    const seq = this.#note({ ...raw, anchor: frame })
    this.#frame = undefined
    try {
      this.#options.viewer.during(seq, origin, fn)
    } finally {
      this.#frame = frame
    }
  }

  #during<T>(self: AnyActorRef, phase: Phase, run: () => T): T {
    const known = this.#options.registry.of(self)
    const outer = this.#frame
    const frame: Frame = { in: known, phase, n: phase === 'start' ? 0 : known.transitions++ }
    this.#frame = frame
    try {
      return run()
    } catch (error) {
      this.#note({ kind: 'leaf', from: known, to: known, anchor: frame, threw: { error } })
      throw error
    } finally {
      this.#frame = outer
    }
  }
}
