// Records everything that enters a running system from outside, at the point where it enters.
import type { AnyActorRef, AnyEventObject } from 'xstate'
import {
  type Environment,
  type Receiver,
  type Relay,
  swapEnvironment,
  withEnvironment,
  withRelay,
} from '../runtime/index.ts'
import type { Origin } from './event-tracker.ts'
import type { ActorRecord } from './actor-record.ts'
import { type CodeHook, isRunning } from './capture.ts'
import { CodeFrames } from './code-frames.ts'
import { tappedCode } from './tapped-code.ts'
import type { Happening } from './plain-records.ts'
import {
  couldNotRecord,
  type Frame,
  hasEnded,
  type InnerRoot,
  isStimulus,
  type StimulusTapOptions,
} from './tap-parts.ts'

/** Records all stimuli once it is attached and every actor is admitted. */
export class StimulusTap {
  /** Wraps the app's code in every actor. */
  readonly hook: CodeHook
  readonly #options: StimulusTapOptions
  readonly #postponed: (() => void)[] = []
  readonly #frames: CodeFrames
  #root: ActorRecord | undefined
  #depth = 0
  /** Whether an app inspector is running; a replay has none. */
  #isInspecting = false

  constructor(options: StimulusTapOptions) {
    this.#options = options
    this.#frames = new CodeFrames(options.env, (frame, error) => {
      const { in: known } = frame
      this.#note({ kind: 'leaf', from: known, to: known, more: { anchor: frame, threw: { error } } })
    })
    this.hook = tappedCode(options.registry, this.#frames, options.viewer)
  }

  /** Wraps the system's relay, start and stop. Call this when the root is created. */
  attach(root: AnyActorRef): void {
    const { registry, viewer } = this.#options
    const known = registry.of(root)
    this.#root = known
    const system = withRelay(root.system)
    const { _relay: relay, _unregister: unregister } = system
    const deliver: Relay = (source, target, event) => {
      system._sendInspectionEvent({ type: '@xstate.event', sourceRef: source, actorRef: target, event })
      receive(target, event)
    }
    system._relay = (source, target, event) => {
      if (registry.isOwn(target)) this.#relayed(source, target, event, deliver)
      else this.#leaves(source, event, () => relay(source, target, event))
    }
    // With a viewer, the viewer detects ended actors.
    if (!viewer)
      system._unregister = ref => {
        unregister(ref)
        const entry = registry.of(ref)
        if (hasEnded(entry)) registry.ended(entry)
      }
    const { inspect } = system
    system.inspect = observer => {
      const next = typeof observer === 'function' ? observer : observer.next?.bind(observer)
      return inspect.call(system, event => this.inspecting(() => next?.(event)))
    }
    const inner = root as unknown as InnerRoot
    const { start, _stop: stop } = inner
    inner.start = () => this.#start(root, known, () => start.call(root))
    inner._stop = () => {
      if (this.#depth === 0 && isRunning(root)) this.#guarded(this.#options.stopping)
      this.#pass({ kind: 'stop', to: known }, 'none', () => stop.call(root))
      return root
    }
  }

  /**
   * Intercepts events from other systems: their relay passes them to the actor without using this system's
   * relay.
   */
  admit(ref: AnyActorRef): void {
    ;(ref as unknown as Receiver)._send = event => this.#arrived(ref, event)
  }

  /** Whether a step is running. */
  get isBusy(): boolean {
    return this.#depth > 0
  }

  /** Runs an app inspector. */
  inspecting(fn: () => void): void {
    const before = this.#isInspecting
    this.#isInspecting = true
    try {
      withEnvironment(undefined, fn)
    } finally {
      this.#isInspecting = before
    }
  }

  /** Runs a step that is not a stimulus, such as the start. */
  run(fn: () => void): void {
    const { env, prepare } = this.#options
    prepare()
    this.#depth += 1
    const before = swapEnvironment(env)
    try {
      fn()
    } finally {
      swapEnvironment(before)
      this.#depth -= 1
      if (this.#depth === 0) this.#settle()
    }
    if (this.#depth === 0) this.#rest()
  }

  #settle(): void {
    const { viewer, log } = this.#options
    this.#guarded(() => {
      // Before its start, a system is only created.
      if (this.#root?.started) viewer?.settle(this.#root)
      log().settle()
    })
  }

  /** Runs recorder code. If it fails, the recording is marked as damaged and the system continues. */
  #guarded(code: () => void): void {
    try {
      code()
    } catch (error) {
      this.#options.log().damage(couldNotRecord(error))
    }
  }

  /** Records a timer and fires it. */
  timer(raw: Happening, fire: () => void): void {
    if (this.#isUnwatched && !hasEnded(raw.to)) {
      this.#options.prepare()
      this.#note(raw)
      const before = this.#begin()
      try {
        fire()
      } finally {
        this.#end(before)
      }
      this.#rest()
    } else if (this.#depth === 0 || this.#frames.current) this.#pass(raw, 'outside', fire)
    else this.#postponed.push(() => this.timer(raw, fire))
  }

  /** Runs the callback between two steps: now, or after the current step. */
  between(fn: () => void): void {
    if (this.#depth > 0) this.#postponed.push(fn)
    else fn()
  }

  #rest(): void {
    if (this.#postponed.length > 0)
      for (let next = this.#postponed.shift(); next; next = this.#postponed.shift()) next()
    this.#guarded(this.#options.rest)
  }

  #start(root: AnyActorRef, known: ActorRecord, start: () => void): AnyActorRef {
    const isFirst = !known.started
    known.started = true
    if (isFirst) {
      this.run(start)
      this.#options.started()
    } else if (isRunning(root)) start()
    else this.#options.startedAgain(() => this.run(start))
    return root
  }

  #relayed(source: AnyActorRef | undefined, target: AnyActorRef, event: AnyEventObject, relay: Relay): void {
    const { registry } = this.#options
    const from = source && registry.of(source)
    const kind = isStimulus(from, event) ? (from ? 'leaf' : 'external') : undefined
    if (!kind && !this.#frames.current) return relay(source, target, event)
    if (kind && this.#isUnwatched) {
      const to = registry.of(target)
      if (hasEnded(to)) return relay(source, target, event)
      const { prepare, log, now } = this.#options
      prepare()
      log().enter(kind, to, from, event, now())
      const before = this.#begin()
      try {
        relay(source, target, event)
      } finally {
        this.#end(before)
      }
      return this.#rest()
    }
    const fn = () => relay(source, target, event)
    if (kind) this.#pass({ kind, to: registry.of(target), from, event }, 'outside', fn)
    else this.#frames.outside(fn)
  }

  /** The other system processes the event within this system's step, which does not happen in a replay. */
  #leaves(source: AnyActorRef | undefined, event: AnyEventObject, fn: () => void): void {
    if (!source) return fn()
    const { registry, viewer } = this.#options
    const known = registry.of(source)
    // A replay does not run the app's own code, which is not part of the machine.
    if (!this.#frames.current) viewer?.addOutput(known, { kind: 'send', value: event })
    this.#frames.inside({ in: known, phase: 'send', n: known.counts.send++ }, fn)
  }

  #arrived(target: AnyActorRef, event: AnyEventObject): void {
    const { registry, viewer, log } = this.#options
    const to = registry.of(target)
    const isLost = this.#depth > 0 && !this.#frames.current
    if (isLost && !hasEnded(to))
      log().damage(
        `${to.path} was sent ${event.type} by another system from a guard, assign or inspector; ` +
          'this cannot be replayed',
      )
    this.#pass({ kind: 'external', to, event }, 'outside', () => {
      viewer?.sent(to, undefined, event)
      receive(target, event)
    })
  }

  #pass(raw: Happening, origin: Origin, fn: () => void): void {
    const { current: frame } = this.#frames
    // An ended actor ignores events, so there is nothing to repeat.
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

  /** Whether a step begins here without a viewer. In this case every fraction of a microsecond counts. */
  get #isUnwatched(): boolean {
    return !this.#options.viewer && this.#depth === 0 && !this.#frames.current && this.#root?.started === true
  }

  #begin(): Environment | undefined {
    this.#depth = 1
    return swapEnvironment(this.#options.env)
  }

  #end(before: Environment | undefined): void {
    swapEnvironment(before)
    this.#depth = 0
    this.#options.log().settle()
  }

  /** Within a step and outside code that a replay skips: the replay does it again. */
  #again(raw: Happening, fn: () => void): void {
    const { log } = this.#options
    if (raw.kind === 'leaf' && raw.from?.kind !== 'other')
      log().damage(`${raw.from?.path} emitted from a guard, assign or inspector; this cannot be replayed`)
    else if (this.#isInspecting)
      log().damage(
        `${raw.to.path} was sent ${raw.event?.type ?? raw.kind} by an inspector; this cannot be replayed`,
      )
    fn()
  }

  #note(raw: Happening): number {
    return this.#options.log().stimulus(raw, this.#options.now())
  }

  /**
   * Within the app's code, the replay repeats the event there. System code that the event triggers is not app
   * code.
   */
  #anchor(raw: Happening, frame: Frame, fn: () => void): void {
    const origin = raw.kind === 'stop' ? 'none' : raw.from === frame.in ? 'inside' : 'outside'
    const seq = this.#note({ ...raw, more: { ...raw.more, anchor: frame } })
    this.#frames.outside(() => this.#during(seq, origin, fn))
  }
}

/** Passes an event to an actor of this system. */
function receive(target: AnyActorRef, event: AnyEventObject): void {
  // The actor's original method, without the wrapper for events from other systems.
  ;(Object.getPrototypeOf(target) as Receiver)._send.call(target, event)
}
