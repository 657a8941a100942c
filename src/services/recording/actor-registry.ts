// The actors of a running system by name: parent path + id + ordinal, never the process-wide session id.
import type { AnyActorRef } from 'xstate'
import type { ActorKind, Phase } from '../../trace/format.ts'
import type { Work } from './actor-desk.ts'
import { logicOf } from './capture.ts'
import { isLeaf, isMachine, logicKind } from './logic-kind.ts'
import { createTags } from './tags.ts'

/** One actor as the registry knows it. */
export interface Known {
  readonly path: string
  readonly kind: ActorKind
  /** Machine id, or the name under which the logic was provided. */
  readonly src: string
  readonly up: Known | undefined
  /** Dropped when the actor has ended, unless the registry keeps them. */
  ref: AnyActorRef | undefined
  /** Whether its start touches the world. */
  readonly leaf: boolean
  /** How many stretches of the app's own code it has run, by phase. */
  readonly counts: Record<Phase, number>
  /** Of the root: whether it was told to start. */
  started: boolean
  /** What it was sent and is working on. */
  work: Work | undefined
}

type Named = Pick<Known, 'path' | 'kind' | 'src'>

export interface Registry {
  /** The actor's entry; the first asking names it. */
  of(ref: AnyActorRef): Known
  byPath(path: string): Known | undefined
  /** Enters an actor under a given name; one that has ended has no reference. */
  adopt(ref: AnyActorRef | undefined, entry: Named): Known
  /** Gives an actor that was only a name something to stand for it. */
  embody(known: Known, ref: AnyActorRef): void
  /** The actors that have not ended, in the order in which they came. */
  living(): Known[]
  ended(known: Known): void
  /** Puts paths in the place of session ids, where actors without an id of their own go by them. */
  rewrite(text: string): string
  /** How often each path was given. */
  readonly names: ReadonlyMap<string, number>
}

/** Actors by name. */
export interface ActorNames {
  pathOf(ref: AnyActorRef): string
  /** The actor of this path while it lives. */
  find(path: string): AnyActorRef | undefined
}

export interface RegistryOptions {
  readonly onActor: (known: Known) => void
  /** The path of an actor that a keyframe brings back: it keeps the one that it had. */
  readonly restored?: (ref: AnyActorRef) => string | undefined
  readonly names?: Readonly<Record<string, number>>
  /** Whether actors that have ended are kept: none unless told. */
  readonly keepEnded?: (known: Known) => boolean
}

/** Creates an empty registry. */
export function createRegistry(options: RegistryOptions): Registry {
  const { find, tag } = createTags<Known>()
  const paths = new Map<string, Known>()
  const sessions = new Map<string, string>()
  const names = new Map(Object.entries(options.names ?? {}))
  const claim = (base: string): string => {
    const used = (names.get(base) ?? 0) + 1
    names.set(base, used)
    return used === 1 ? base : `${base}#${used}`
  }
  const add = (ref: AnyActorRef): Known => {
    const up = ref._parent && of(ref._parent)
    const { kind, src } = describe(ref)
    const nameless = ref.id === ref.sessionId
    const segment = nameless ? `${up ? '~' : ''}${escapeId(src)}` : escapeId(ref.id)
    const path = options.restored?.(ref) ?? claim(up ? `${up.path}/${segment}` : segment)
    if (nameless) sessions.set(ref.sessionId, path)
    return enter({ path, kind, src, up, ref, leaf: isLeaf(logicOf(ref)), ...begun() })
  }
  const enter = (entry: Known): Known => {
    if (entry.ref) tag(entry.ref, entry)
    paths.set(entry.path, entry)
    options.onActor(entry)
    return entry
  }
  const of = (ref: AnyActorRef): Known => find(ref) ?? add(ref)
  return {
    of,
    names,
    byPath: path => paths.get(path),
    adopt: (ref, { path, kind, src }) =>
      enter({ path, kind, src, up: undefined, ref, leaf: true, ...begun() }),
    embody(entry, ref) {
      entry.ref = ref
      tag(ref, entry)
    },
    rewrite: text =>
      sessions.size === 0 ? text : text.replaceAll(/\bx:\d+\b/g, session => sessions.get(session) ?? session),
    living: () => [...paths.values()],
    ended(entry) {
      if (options.keepEnded?.(entry)) return
      paths.delete(entry.path)
      entry.ref = undefined
    },
  }
}

function begun(): Pick<Known, 'counts' | 'started' | 'work'> {
  return {
    counts: { start: 0, transition: 0, action: 0, snapshot: 0, emit: 0 },
    started: false,
    work: undefined,
  }
}

/** Keeps the separators of a path out of its segments. */
function escapeId(id: string): string {
  return /[%/#]/.test(id) ? id.replaceAll(/[%/#]/g, encodeURIComponent) : id
}

function describe(ref: AnyActorRef): Pick<Known, 'kind' | 'src'> {
  const logic = logicOf(ref)
  if (isMachine(logic)) return { kind: 'machine', src: logic.id }
  return { kind: logicKind(logic), src: typeof ref.src === 'string' ? ref.src : '(anonymous)' }
}
