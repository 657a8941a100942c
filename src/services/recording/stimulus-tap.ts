// The tap: notes everything that enters a running system from outside, exactly where it enters.
import type { AnyActorRef, AnyEventObject, Snapshot } from 'xstate'
import { swapEnvironment } from '../ambient-env.ts'
import { withRelay } from '../system-parts.ts'
import type { Relay } from '../system-parts.ts'
import type { Origin } from './actor-desk.ts'
import type { Known } from './actor-registry.ts'
import type { CodeHook } from './capture.ts'
import { CodeFrames } from './code-frames.ts'
import { tappedCode } from './tapped-code.ts'
import type { Happening } from './plain-records.ts'
import { DERIVED, hasEnded } from './tap-parts.ts'
import type { Frame, InnerRoot, StimulusTapOptions } from './tap-parts.ts'

/** A tap; it lets nothing past once it is attached. */
export class StimulusTap {
  /** To be put around the app's code in every actor. */
  readonly hook: CodeHook
  readonly #options: StimulusTapOptions
  readonly #postponed: (() => void)[] = []
  readonly #frames: CodeFrames
  #root: Known | undefined
  #depth = 0

  constructor(options: StimulusTapOptions) {
    this.#options = options
    this.#frames = new CodeFrames(options.env, (frame, error) => {
      const { in: known } = frame
      this.#note({ kind: 'leaf', from: known, to: known, more: { anchor: frame, threw: { error } } })
    })
    this.hook = tappedCode(options.registry, this.#frames)
  }

  /** Takes over the system's relay, and its start and end. To be called when the root is made. */
  attach(root: AnyActorRef): void {
    const { registry, viewer } = this.#options
    const known = registry.of(root)
    this.#root = known
    const system = withRelay(root.system)
    const { _relay: relay, _unregister: unregister } = system
    system._relay = (source, target, event) => this.#relayed(source, target, event, relay)
    // A viewer sees for itself who has ended.
    if (!viewer)
      system._unregister = ref => {
        unregister(ref)
        const entry = registry.of(ref)
        if (hasEnded(entry)) registry.ended(entry)
      }
    const inner = root as unknown as InnerRoot
    const { start, _stop: stop } = inner
    inner.start = () => this.#start(root, known, () => start.call(root))
    inner._stop = () => {
      this.#pass({ kind: 'stop', to: known }, 'none', () => stop.call(root))
      return root
    }
  }

  /** Runs a step: something that is no stimulus of its own, such as the start. */
  run(fn: () => void): void {
    const { viewer, env, log } = this.#options
    this.#depth += 1
    const before = swapEnvironment(env)
    try {
      fn()
    } finally {
      swapEnvironment(before)
      this.#depth -= 1
      if (this.#depth === 0) {
        // Before its start a system has only been made.
        if (this.#root?.started) viewer?.settle(this.#root)
        log().settle()
      }
    }
    if (this.#depth === 0) this.#rest()
  }

  /** Notes a timer and fires it. */
  timer(raw: Happening, fire: () => void): void {
    if (this.#depth === 0 || this.#frames.current) this.#pass(raw, 'outside', fire)
    else this.#postponed.push(() => this.timer(raw, fire))
  }

  /** Runs this between two steps: now, or when the present one is over. */
  between(fn: () => void): void {
    if (this.#depth > 0) this.#postponed.push(fn)
    else fn()
  }

  #rest(): void {
    if (this.#postponed.length > 0)
      for (let next = this.#postponed.shift(); next; next = this.#postponed.shift()) next()
    this.#options.rest()
  }

  #start(root: AnyActorRef, known: Known, start: () => void): AnyActorRef {
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
    const { current: frame } = this.#frames
    if (!kind && !frame) return relay(source, target, event)
    if (kind && this.#isUnseen) return this.#relayUnseen(kind, from, source, target, event, relay)
    const fn = () => relay(source, target, event)
    if (kind) this.#pass({ kind, to: registry.of(target), from, event }, 'outside', fn)
    else this.#frames.outside(fn)
  }

  #pass(raw: Happening, origin: Origin, fn: () => void): void {
    const { current: frame } = this.#frames
    // Nobody takes what is sent to an actor that has ended, so there is nothing to repeat.
    if (hasEnded(raw.to)) this.#during(-1, 'outside', fn)
    else if (frame) this.#anchor(raw, frame, fn)
    else if (this.#depth > 0) this.#again(raw, fn)
    else if (this.#root?.started === false) this.#anchor(raw, { in: this.#root, phase: 'start', n: 1 }, fn)
    else this.run(() => this.#during(this.#note(raw), origin, fn))
  }

  #during(cause: number, origin: Origin, fn: () => void): void {
    const { viewer } = this.#options
    if (viewer) viewer.during(cause, origin, fn)
    else fn()
  }

  /** Whether a step begins with what comes, and nobody looks: then every part of a microsecond counts. */
  get #isUnseen(): boolean {
    return !this.#options.viewer && this.#depth === 0 && !this.#frames.current && this.#root?.started === true
  }

  /** The same as is done to all else, in one go. */
  #relayUnseen(
    kind: 'external' | 'leaf',
    from: Known | undefined,
    source: AnyActorRef | undefined,
    target: AnyActorRef,
    event: AnyEventObject,
    relay: Relay,
  ): void {
    const { registry, env, log, now } = this.#options
    const to = registry.of(target)
    if (hasEnded(to)) return relay(source, target, event)
    log().enter(kind, to, from, event, now())
    this.#depth = 1
    const before = swapEnvironment(env)
    try {
      relay(source, target, event)
    } finally {
      swapEnvironment(before)
      this.#depth = 0
      log().settle()
    }
    this.#rest()
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

  #note(raw: Happening): number {
    return this.#options.log().stimulus(raw, this.#options.now())
  }

  /** Inside the app's code the replay repeats it there; the system's code that it sets off is none of that. */
  #anchor(raw: Happening, frame: Frame, fn: () => void): void {
    const origin = raw.kind === 'stop' ? 'none' : raw.from === frame.in ? 'inside' : 'outside'
    const seq = this.#note({ ...raw, more: { ...raw.more, anchor: frame } })
    this.#frames.outside(() => this.#during(seq, origin, fn))
  }
}
