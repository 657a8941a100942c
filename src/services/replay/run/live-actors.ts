// Lists the running actors of a replay between two steps.
import type { AnyActorRef, Snapshot } from 'xstate'
import type { ActorKind, StateValue } from '../../../trace/index.ts'
import type { Registry } from '../../recording/index.ts'

/** Current state of an actor. */
export interface LiveActor {
  readonly path: string
  readonly kind: ActorKind
  readonly src: string
  readonly status: Snapshot<unknown>['status']
  /** State value of a machine. */
  readonly value?: StateValue
  readonly context?: unknown
}

/** Lists running actors; `plain` converts values to their form in traces. */
export function liveActors(registry: Registry, plain: (value: unknown) => unknown): LiveActor[] {
  return registry.living().flatMap(({ path, kind, src, ref }): LiveActor[] => {
    if (!ref || !isRunning(ref)) return []
    const snapshot = ref.getSnapshot() as Snapshot<unknown> & { value?: StateValue; context?: unknown }
    const { status, value, context } = snapshot
    return [
      {
        path,
        kind,
        src,
        status,
        ...(value !== undefined && { value }),
        ...(context !== undefined && { context: plain(context) }),
      },
    ]
  })
}

function isRunning(ref: AnyActorRef): boolean {
  return (ref as { readonly _processingStatus?: number })._processingStatus === 1
}
