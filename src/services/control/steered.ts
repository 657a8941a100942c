// What a control steers: a system under way, and what is known of it.
import type { AnyActorRef } from 'xstate'
import type { TraceSource } from '../../trace/format.ts'
import type { ActorNames } from '../recording/actor-registry.ts'
import type { SystemRegistry } from '../replay/find-system.ts'

/** A system under way. */
export interface Steered {
  /** The root. */
  readonly actor: AnyActorRef
  /** The way on which the app's commands come; `actor.send` where there is no other. */
  readonly send: (event: never) => void
  /** Where it is recorded. */
  readonly recording?: { readonly trace: TraceSource } | undefined
  /** Its logic by the name of the system, so that its past can be gone on from. */
  readonly systems?: SystemRegistry | undefined
  /** As its recording calls them. */
  readonly actors?: ActorNames | undefined
}
