// The environment of a system: time and random values for machine code, taped while recording and repeated in a
// replay; and the parts that a system is composed from.
import { createEntropy, type Entropy } from './entropy.ts'
import type { AnyActorLogic, AnyActorRef, AnyEventObject, AnyStateMachine } from 'xstate'

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

const entropy = createEntropy()
let current: Environment | undefined

/**
 * Time and random values for machines: use it in guards, context, delays, `assign` and all other code that
 * decides what a machine does. Values read while recording are the same in a replay. Elsewhere, and in leaves
 * and custom actions, it reads the real environment.
 */
export const env: Environment = {
  /** Milliseconds since 1970, like `Date.now()`. */
  now: () => (current ? current.now() : Date.now()),
  random: () => (current ?? entropy).random(),
  id: () => (current ?? entropy).id(),
}

/** Sets the ambient environment and returns the previous one; for hot paths. */
export function swapEnvironment(next: Environment | undefined): Environment | undefined {
  const before = current
  current = next
  return before
}

/** Whether the code that is running reads the platform from a tape. */
export function isAmbientTaped(): boolean {
  return current?.call !== undefined
}

/** Reads the platform by way of the ambient environment. */
export function ambientCall<T>(name: string, real: () => T): T {
  return current?.call ? (current.call(name, real) as T) : real()
}

/** Runs code with another ambient environment; `undefined` is the real one. */
export function withEnvironment<T>(next: Environment | undefined, run: () => T): T {
  const before = current
  current = next
  try {
    return run()
  } finally {
    current = before
  }
}
