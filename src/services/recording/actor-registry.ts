// The actors of a running system by name: parent path + id + ordinal, never the process-wide session id.
import type { AnyActorLogic, AnyActorRef, AnyStateMachine } from 'xstate'
import type { ActorKind } from '../../trace/format.ts'
import type { LeafInfo } from './leaf.ts'

/** One actor as the registry knows it. */
export interface Known {
  readonly path: string
  readonly kind: ActorKind
  /** Machine id, or the name under which the logic was provided. */
  readonly src: string
  readonly up: Known | undefined
  /** Dropped when the actor has ended, unless the registry keeps them. */
  ref: AnyActorRef | undefined
  /** How many transitions a leaf has made. */
  transitions: number
}

export interface Registry {
  /** The actor's entry; the first asking names it. */
  of(ref: AnyActorRef): Known
  byPath(path: string): Known | undefined
  /** Enters an actor under a given name. */
  adopt(ref: AnyActorRef, entry: Pick<Known, 'path' | 'kind' | 'src'>): void
  /** The actors that have not ended, in the order in which they came. */
  living(): Known[]
  ended(known: Known): void
  /** Makes a leaf known by its logic object. */
  leaf(logic: AnyActorLogic, info: LeafInfo): void
  /** Puts paths in the place of session ids, where actors without an id of their own go by them. */
  rewrite(text: string): string
  /** How often each path was given. */
  readonly names: ReadonlyMap<string, number>
}

export interface RegistryOptions {
  readonly onActor: (known: Known) => void
  /** Paths of actors that a keyframe brings back: they keep these. */
  readonly restored?: readonly string[]
  readonly names?: Readonly<Record<string, number>>
  readonly keepEnded?: boolean
}

/** Creates an empty registry. */
export function createRegistry(options: RegistryOptions): Registry {
  const known = new WeakMap<AnyActorRef, Known>()
  const leaves = new WeakMap<AnyActorLogic, LeafInfo>()
  const paths = new Map<string, Known>()
  const sessions = new Map<string, string>()
  const names = new Map(Object.entries(options.names ?? {}))
  const unclaimed = new Map(options.restored?.map(path => [basePath(path), path]))
  const claim = (base: string): string => {
    const restored = unclaimed.get(base)
    unclaimed.delete(base)
    if (restored !== undefined) return restored
    const used = (names.get(base) ?? 0) + 1
    names.set(base, used)
    return used === 1 ? base : `${base}#${used}`
  }
  const add = (ref: AnyActorRef): Known => {
    const up = ref._parent && of(ref._parent)
    const { kind, src } = describe(ref, leaves)
    const nameless = ref.id === ref.sessionId
    const segment = nameless ? `~${escapeId(src)}` : escapeId(ref.id)
    const path = claim(up ? `${up.path}/${segment}` : segment)
    if (nameless) sessions.set(ref.sessionId, path)
    return enter({ path, kind, src, up, ref, transitions: 0 }, ref)
  }
  const enter = (entry: Known, ref: AnyActorRef): Known => {
    known.set(ref, entry)
    paths.set(entry.path, entry)
    options.onActor(entry)
    return entry
  }
  const of = (ref: AnyActorRef): Known => known.get(ref) ?? add(ref)
  return {
    of,
    names,
    byPath: path => paths.get(path),
    adopt: (ref, { path, kind, src }) =>
      void enter({ path, kind, src, up: undefined, ref, transitions: 0 }, ref),
    rewrite: text =>
      sessions.size === 0 ? text : text.replaceAll(/\bx:\d+\b/g, session => sessions.get(session) ?? session),
    living: () => [...paths.values()],
    leaf: (logic, info) => void leaves.set(logic, info),
    ended(entry) {
      if (options.keepEnded) return
      paths.delete(entry.path)
      entry.ref = undefined
    },
  }
}

/** The path without the ordinal that tells namesakes apart. */
function basePath(path: string): string {
  return path.replace(/#\d+$/, '')
}

/** Keeps the separators of a path out of its segments. */
function escapeId(id: string): string {
  return id.replaceAll(/[%/#]/g, encodeURIComponent)
}

function describe(ref: AnyActorRef, leaves: WeakMap<AnyActorLogic, LeafInfo>): Pick<Known, 'kind' | 'src'> {
  const logic = (ref as AnyActorRef & { readonly logic: AnyActorLogic }).logic
  const leaf = leaves.get(logic)
  if (leaf) return { kind: leaf.kind, src: leaf.name }
  if ('implementations' in logic) return { kind: 'machine', src: (logic as unknown as AnyStateMachine).id }
  return { kind: 'other', src: typeof ref.src === 'string' ? ref.src : '(anonymous)' }
}
