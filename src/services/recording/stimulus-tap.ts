// The tap: notes everything that enters a running system from outside, exactly where it enters.
import type { AnyActorLogic, AnyActorRef, AnyEventObject, Snapshot } from 'xstate'
import { swapEnvironment } from '../ambient-env.ts'
import { withRelay } from '../system-parts.ts'
import type { Relay } from '../system-parts.ts'
import type { Origin } from './actor-desk.ts'
import { tapLeaf } from './capture.ts'
import type { CodeHook } from './capture.ts'
import { logicKind } from './logic-kind.ts'
import { TappedObservers } from './observers.ts'
import { DERIVED, hasEnded } from './tap-parts.ts'
import type { Frame, Happening, InnerRoot, StimulusTapOptions } from './tap-parts.ts'

/** A tap; it lets nothing past once it is attached. */
export class StimulusTap {
  /** To be put around the app's code in every actor. */
  readonly hook: CodeHook = {
    next: (self, phase) => this.#options.registry.of(self).counts[phase]++,
    around: (self, phase, n, code) => this.#around({ in: this.#options.registry.of(self), phase, n }, code),
    leaf: logic => this.#tapped(logic),
    observers: self => new TappedObservers(self, this.hook),
  }
  readonly #options: StimulusTapOptions
  readonly #postponed: (() => void)[] = []
  readonly #leaves = new WeakMap<AnyActorLogic, AnyActorLogic>()
  #root: AnyActorRef | undefined
  #depth = 0
  /** The app's code that is running now, in the midst of a step. */
  #frame: Frame | undefined

  constructor(options: StimulusTapOptions) {
    this.#options = options
  }

  /** Takes over the system's relay, and its start and end. To be called when the root is made. */
  attach(root: AnyActorRef): void {
    this.#root = root
    const system = withRelay(root.system)
    const relay = system._relay
    system._relay = (source, target, event) => this.#relayed(source, target, event, relay)
    const inner = root as unknown as InnerRoot
    const { start, _stop: stop } = inner
    inner.start = () => this.#start(root, () => start.call(root))
    inner._stop = () => {
      this.#pass({ kind: 'stop', to: this.#options.registry.of(root) }, 'none', () => stop.call(root))
      return root
    }
  }

  /** Actors that run the same logic run the same tapped logic. */
  #tapped(logic: AnyActorLogic): AnyActorLogic {
    const known = this.#leaves.get(logic)
    if (known) return known
    const tapped = tapLeaf(logic, logicKind(logic), this.hook)
    this.#leaves.set(logic, tapped)
    return tapped
  }

  /** Runs a step: something that is no stimulus of its own, such as the start. */
  run(fn: () => void): void {
    const { viewer, registry, env, log, rest } = this.#options
    this.#depth += 1
    const before = swapEnvironment(env)
    try {
      fn()
    } finally {
      swapEnvironment(before)
      this.#depth -= 1
      if (this.#depth === 0) {
        // Before its start a system has only been made.
        if (this.#root && !this.#isEarly()) viewer.settle(registry.of(this.#root))
        log().settle()
      }
    }
    if (this.#depth > 0) return
    if (this.#postponed.length > 0)
      for (let next = this.#postponed.shift(); next; next = this.#postponed.shift()) next()
    rest()
  }

  /** Notes a timer and fires it. */
  timer(raw: Happening, fire: () => void): void {
    if (this.#depth === 0 || this.#frame) this.#pass(raw, 'outside', fire)
    else this.#postponed.push(() => this.timer(raw, fire))
  }

  /** Runs this between two steps: now, or when the present one is over. */
  between(fn: () => void): void {
    if (this.#depth > 0) this.#postponed.push(fn)
    else fn()
  }

  #start(root: AnyActorRef, start: () => void): AnyActorRef {
    const known = this.#options.registry.of(root)
    const isSecond = (root.getSnapshot() as Snapshot<unknown>).status === 'stopped'
    if (isSecond)
      this.#options.log().damage('the system was started again after its end, which cannot be replayed')
    known.started = true
    this.run(start)
    return root
  }

  #relayed(source: AnyActorRef | undefined, target: AnyActorRef, event: AnyEventObject, relay: Relay): void {
    const { registry } = this.#options
    const from = source && registry.of(source)
    const kind = !from ? 'external' : from.leaf && !DERIVED.test(event.type) ? 'leaf' : undefined
    if (!kind && !this.#frame) return relay(source, target, event)
    const fn = () => relay(source, target, event)
    if (kind) this.#pass({ kind, to: registry.of(target), from, event }, 'outside', fn)
    else this.#outOfFrame(fn)
  }

  #pass(raw: Happening, origin: Origin, fn: () => void): void {
    // Nobody takes what is sent to an actor that has ended, so there is nothing to repeat.
    if (hasEnded(raw.to)) this.#options.viewer.during(-1, 'outside', fn)
    else if (this.#frame) this.#anchor(raw, this.#frame, fn)
    else if (this.#depth > 0) this.#again(raw, fn)
    else if (this.#isEarly()) this.#anchor(raw, this.#early(), fn)
    else this.run(() => this.#options.viewer.during(this.#note(raw), origin, fn))
  }

  /** In the midst of a step, outside of all code that a replay leaves out: there it will be done again. */
  #again(raw: Happening, fn: () => void): void {
    if (raw.kind === 'leaf' && raw.from?.kind !== 'other') {
      const path = raw.from?.path
      this.#options
        .log()
        .damage(
          `${path} was made to speak by a guard, an assignment or an inspector: a replay cannot repeat it`,
        )
    }
    fn()
  }

  /** What is sent before the start waits in the mailboxes. */
  #isEarly(): boolean {
    return this.#root !== undefined && !this.#options.registry.of(this.#root).started
  }

  #early(): Frame {
    return { in: this.#options.registry.of(this.#root as AnyActorRef), phase: 'start', n: 1 }
  }

  #note(raw: Happening): number {
    return this.#options.log().stimulus(raw, this.#options.now())
  }

  /** Inside the app's code the replay repeats it there; the system's code that it sets off is none of that. */
  #anchor(raw: Happening, frame: Frame, fn: () => void): void {
    const origin = raw.kind === 'stop' ? 'none' : raw.from === frame.in ? 'inside' : 'outside'
    const seq = this.#note({ ...raw, more: { ...raw.more, anchor: frame } })
    this.#outOfFrame(() => this.#options.viewer.during(seq, origin, fn))
  }

  #outOfFrame(fn: () => void): void {
    const frame = this.#frame
    if (!frame) return fn()
    this.#frame = undefined
    const before = swapEnvironment(this.#options.env)
    try {
      fn()
    } finally {
      swapEnvironment(before)
      this.#frame = frame
    }
  }

  #around<T>(frame: Frame, code: () => T): T {
    const outer = this.#frame
    this.#frame = frame
    const before = swapEnvironment(undefined)
    try {
      return code()
    } catch (error) {
      const { in: known, phase } = frame
      // XState catches what listeners throw, and nothing comes of it.
      if (phase !== 'snapshot' && phase !== 'emit')
        this.#note({ kind: 'leaf', from: known, to: known, more: { anchor: frame, threw: { error } } })
      throw error
    } finally {
      swapEnvironment(before)
      this.#frame = outer
    }
  }
}
