// Contracts between packages: what a client needs from its platform, and how a control connects to a running
// system.
import type { AnyActorRef } from 'xstate'
import type { ActorKind, TraceSource } from '../../trace/index.ts'
import type { Clock } from './clock.ts'
import type { SystemRegistry } from './ambient-env.ts'

/** Key-value storage for sessions, synchronous or asynchronous, such as `localStorage`. */
export interface SessionStorage {
  getItem(key: string): string | null | Promise<string | null>
  setItem(key: string, value: string): void | Promise<void>
  removeItem(key: string): void | Promise<void>
}

/** Sources of page events; a part of the browser globals. */
export interface PageEvents {
  readonly window: EventTarget
  readonly document: EventTarget & { readonly visibilityState: string }
  readonly navigator: { readonly onLine: boolean }
}

/** Platform APIs that a client uses. */
export interface Platform {
  readonly fetch: typeof globalThis.fetch
  readonly WebSocket: typeof globalThis.WebSocket | undefined
  readonly storage: SessionStorage
  readonly clock: Clock
  readonly page?: Partial<PageEvents>
}

/** Actors by name, with their kind and source. */
export interface ActorNames {
  of(ref: AnyActorRef): { readonly path: string; readonly kind: ActorKind; readonly src: string }
  /** Returns the running actor with this path. */
  find(path: string): AnyActorRef | undefined
}

/** A running system. */
export interface Steered {
  /** The root. */
  readonly actor: AnyActorRef
  /** Sends the app's commands; `actor.send` if there is no other method. */
  readonly send: (event: never) => void
  /** Set if the system is recorded. */
  readonly recording?:
    | {
        readonly trace: TraceSource
        /** The clock of the records of a recording in segments. */
        readonly segments?: { elapsed(): number }
      }
    | undefined
  /** Its logic by system name, so that branches can continue from its past. */
  readonly systems?: SystemRegistry | undefined
  /** Actor names of the recording. */
  readonly actors?: ActorNames | undefined
}

/** The option `control` of `createChartroomClient`. */
export interface ClientControl {
  world(world: Platform): Platform
  /** Called with the system before it starts. */
  attach<S extends Steered>(steered: S): S
}
