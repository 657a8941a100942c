// What a system is put together from; recording and replaying give the same parts in their own way.
import type { AnyActorRef, AnyEventObject, AnyStateMachine } from 'xstate'
import type { Entropy } from './entropy.ts'

/** Time and random values for machines that read them; each reading is taped. Never for use in leaves. */
export interface Environment extends Entropy {
  /** Milliseconds on the monotonic clock. */
  readonly now: () => number
}

/** The parts of a system that touch the world. */
export interface SystemParts {
  readonly env: Environment
}

/** Puts the root machine together. Called once for each recording system and once for each replay. */
export type ComposeSystem = (parts: SystemParts) => AnyStateMachine

/** Passes an event from one actor to another; every event that an actor of a system sends goes through here. */
export type Relay = (source: AnyActorRef | undefined, target: AnyActorRef, event: AnyEventObject) => void

/** The part of XState's system that is not in its types (5.33). */
export interface RelayingSystem {
  _relay: Relay
  /** Also called for an actor that goes on for a moment. */
  _unregister: (actor: AnyActorRef) => void
  /** Left out: the id of the root, which the system adds. */
  _sendInspectionEvent: (event: object) => void
}

/** The part of an actor that a relay hands events to (5.33). */
export interface Receiver {
  _send: (event: AnyEventObject) => void
}

type AnySystem = AnyActorRef['system']

/** The system with its relay. */
export function withRelay(system: AnySystem): AnySystem & RelayingSystem {
  return system as AnySystem & RelayingSystem
}
