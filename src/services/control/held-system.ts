// Makes a system pausable: its events, timers and start pass through the gate.
import type { AnyActorRef } from 'xstate'
import { type InnerRoot, isLeaf, logicOf } from '../recording/index.ts'
import { withRelay } from '../runtime/index.ts'
import type { ControlClock } from './control-clock.ts'
import type { Gate } from './gate.ts'
import { hasEnded } from './live-tree.ts'

/**
 * Puts the gate around a system, which may be running. Events that a machine sends within a step belong to
 * that step; only events from outside, from effects and from timers are queued.
 */
export function putGate(root: AnyActorRef, gate: Gate, clock: ControlClock): void {
  const system = withRelay(root.system)
  const relay = system._relay
  system._relay = (from, to, event) => {
    const run = () => relay(from, to, event)
    if (gate.isInside) return run()
    const kind = from && isLeaf(logicOf(from)) ? 'leaf' : 'external'
    const isStale = () => hasEnded(to) || (from !== undefined && hasEnded(from))
    gate.arrive({ kind, to, from, event, run, isStale })
  }
  clock.gate = ({ number, purpose }, run) => {
    if (!purpose) return run()
    const { source: from, target: to, event } = purpose
    gate.arrive({ kind: 'timer', to, from, event, run, isStale: () => !clock.has(number) })
  }
  const inner = root as unknown as InnerRoot
  const { start, _stop: stop } = inner
  inner.start = () => gate.inside(() => start.call(root))
  // An ended system needs no waiting events, and its end is not delayed.
  inner._stop = () => {
    gate.clear()
    return gate.inside(() => stop.call(root))
  }
}
