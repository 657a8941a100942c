// The running actors of a system by name, whether recorded or not.
import type { AnyActorRef } from 'xstate'
import type { ActorKind, StateValue } from '../../trace/index.ts'
import { createRegistry } from '../recording/index.ts'
import type { ActorNames } from '../runtime/index.ts'

/** A running actor. */
export interface LivingActor {
  readonly path: string
  readonly kind: ActorKind
  /** Machine id, or the name under which its logic was provided. */
  readonly src: string
  readonly value: StateValue | undefined
  readonly ref: AnyActorRef
}

interface Inner {
  readonly status: string
  readonly value?: StateValue
  readonly children?: Readonly<Record<string, AnyActorRef | undefined>>
}

/** The root and all actors reachable from it, parents first. */
export function livingActors(root: AnyActorRef, names: ActorNames): LivingActor[] {
  const snapshot = root.getSnapshot() as Inner | undefined
  if (!snapshot || hasEnded(root)) return []
  const { path, kind, src } = names.of(root)
  const rootActor = { path, kind, src, value: snapshot.value, ref: root }
  const children = Object.values(snapshot.children ?? {})
  return [rootActor, ...children.flatMap(child => (child ? livingActors(child, names) : []))]
}

export function hasEnded(ref: AnyActorRef): boolean {
  return (ref as { readonly _processingStatus?: number })._processingStatus === 2
}

/** Creates names for a system that is not recorded. */
export function ownNames(root: AnyActorRef): ActorNames {
  const registry = createRegistry({ onActor: () => undefined })
  const names: ActorNames = {
    of: registry.of,
    find: path => livingActors(root, names).find(one => one.path === path)?.ref,
  }
  return names
}
