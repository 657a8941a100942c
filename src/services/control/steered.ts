// Interface of a controlled system.
import type { AnyActorRef } from 'xstate'
import type { TraceSource } from '../../trace/format/format.ts'
import type { ActorNames } from '../recording/actor-registry.ts'
import type { SystemRegistry } from '../replay/verify/find-system.ts'

/** A running system. */
export interface Steered {
  /** The root. */
  readonly actor: AnyActorRef
  /** Sends the app's commands; `actor.send` if there is no other method. */
  readonly send: (event: never) => void
  /** Set if the system is recorded. */
  readonly recording?: { readonly trace: TraceSource } | undefined
  /** Its logic by system name, so that branches can continue from its past. */
  readonly systems?: SystemRegistry | undefined
  /** Actor names of the recording. */
  readonly actors?: ActorNames | undefined
}
