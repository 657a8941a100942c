// The tap: notes everything that enters a running system from outside, exactly where it enters.
import type { AnyActorRef, AnyEventObject, Snapshot } from 'xstate'
import type { Known, Registry } from './actor-registry.ts'
import type { Origin } from './actor-desk.ts'
import type { Viewer } from './actor-viewer.ts'
import type { LeafTap, Phase } from './leaf.ts'
import type { RawStimulus } from './plain-records.ts'
import { withRelay } from './system-parts.ts'
import type { Relay } from './system-parts.ts'
import type { TraceLog } from './trace-log.ts'

export interface StimulusTap {
  readonly leaf: LeafTap
  /** Takes over the system's relay, so that nothing gets past the tap. */
  attach(root: AnyActorRef): void
  /** Runs something that is no stimulus of its own, such as the start. */
  run(fn: () => void): void
  /** Notes a stimulus and runs it. Not to be called inside a step. */
  stimulate(raw: Happening, origin: Origin, fn: () => void): void
  /** Runs this between two steps: now, or when the present one is over. */
  between(fn: () => void): void
}

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

/** Creates a tap that is not attached yet. */
export function createStimulusTap({ registry, viewer, log, now }: StimulusTapOptions): StimulusTap {
  const postponed: (() => void)[] = []
  let root: AnyActorRef | undefined
  let depth = 0
  /** The leaf whose own code is running now. */
  let frame: Frame | undefined

  const note = (raw: Happening) => log().stimulus({ ...raw, t: now() })
  const step = (fn: () => void) => {
    depth += 1
    try {
      fn()
    } finally {
      depth -= 1
      if (root) viewer.settle(registry.of(root))
      log().settle()
    }
    for (let next = postponed.shift(); next; next = postponed.shift()) next()
  }
  const stimulate: StimulusTap['stimulate'] = (raw, origin, fn) =>
    step(() => viewer.during(note(raw), origin, fn))
  const between = (fn: () => void) => {
    if (depth > 0) postponed.push(fn)
    else fn()
  }
  /** Inside a leaf's code the replay repeats it there; the system's code that it sets off is no leaf's code. */
  const anchored = (raw: Happening, at: Frame, fn: () => void) => {
    const origin = raw.from === at.in ? 'inside' : 'outside'
    const seq = note({ ...raw, anchor: at })
    frame = undefined
    try {
      viewer.during(seq, origin, fn)
    } finally {
      frame = at
    }
  }
  const pass = (raw: Happening, from: AnyActorRef | undefined, relay: () => void) => {
    if (frame) anchored(raw, frame, relay)
    else if (depth === 0) stimulate(raw, 'outside', relay)
    else {
      // A message out of nowhere in the midst of a step cannot be placed; after the step it can.
      postponed.push(() => {
        const snapshot = from?.getSnapshot() as Snapshot<unknown> | undefined
        if (snapshot?.status !== 'stopped') pass(raw, from, relay)
      })
    }
  }
  const emit: Relay = (source, target, event) => {
    const raw = { kind: 'leaf', from: source && registry.of(source), to: registry.of(target), event } as const
    pass(raw, source, () => withRelay(target.system)._relay(source, target, event))
  }
  const during = <T>(self: AnyActorRef, phase: Phase, run: () => T): T => {
    const known = registry.of(self)
    const outer = frame
    const own: Frame = { in: known, phase, n: phase === 'start' ? 0 : known.transitions++ }
    frame = own
    try {
      return run()
    } catch (error) {
      note({ kind: 'leaf', from: known, to: known, anchor: own, threw: { error } })
      throw error
    } finally {
      frame = outer
    }
  }
  return {
    leaf: { during, emit },
    stimulate,
    between,
    run: step,
    attach(actor) {
      root = actor
      const system = withRelay(actor.system)
      const relay = system._relay
      system._relay = (source: AnyActorRef | undefined, target: AnyActorRef, event: AnyEventObject) => {
        if (source) relay(source, target, event)
        else
          pass({ kind: 'external', to: registry.of(target), event }, undefined, () =>
            relay(undefined, target, event),
          )
      }
    },
  }
}
