// The parts that a system is composed from; recordings and replays provide them in different ways.
import type { AnyActorLogic, AnyActorRef, AnyEventObject, AnyStateMachine } from 'xstate'
import type { Entropy } from './entropy.ts'

/** Time and random values for machines; each reading is taped. Never use it in leaves. */
export interface Environment extends Entropy {
  /** Milliseconds on the monotonic clock. */
  readonly now: () => number
  /**
   * Reads `name` of the platform, such as `Math.random()`: calls `real` and tapes the result or, in a replay,
   * returns the taped result. Absent if the platform is not taped.
   */
  readonly call?: (name: string, real: () => unknown) => unknown
}

/** The parts of a system that access its environment. */
export interface SystemParts {
  readonly env: Environment
}

/** Composes the root machine. Called once per recorded system and once per replay. */
export type ComposeSystem = (parts: SystemParts) => AnyStateMachine

/** Systems that can be replayed, by the name in the header. */
export type SystemRegistry = Readonly<Record<string, AnyActorLogic | ComposeSystem>>

/** Passes an event from one actor to another; all events between actors of a system go through it. */
export type Relay = (source: AnyActorRef | undefined, target: AnyActorRef, event: AnyEventObject) => void

/** The part of XState's system that is missing in its types (5.33). */
export interface RelayingSystem {
  _relay: Relay
  /** Also called for an actor that continues for a moment. */
  _unregister: (actor: AnyActorRef) => void
  /** Without the root's id, which the system adds. */
  _sendInspectionEvent: (event: object) => void
}

/** The part of an actor that a relay passes events to (5.33). */
export interface Receiver {
  _send: (event: AnyEventObject) => void
}

type AnySystem = AnyActorRef['system']

/** Returns the system with its relay. */
export function withRelay(system: AnySystem): AnySystem & RelayingSystem {
  return system as AnySystem & RelayingSystem
}
