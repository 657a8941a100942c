// The actors of a running system by name: parent path + id + ordinal, never the process-wide session id.
import type { AnyActorRef } from 'xstate'
import { logicOf } from './capture.ts'
import { Known, pathOf } from './known-actor.ts'
import { isLeaf, isMachine, logicKind } from './logic-kind.ts'
import { createTags } from './tags.ts'
import { isActor } from './is-actor.ts'
import { ActorReference } from '../../trace/values.ts'

export type { Known } from './known-actor.ts'

type Named = Pick<Known, 'path' | 'kind' | 'src'>

export interface Registry {
  /** The actor's entry; the first call names it. One of another system gets a name and nothing else. */
  of(ref: AnyActorRef): Known
  /** Whether the actor belongs to the system: the one of the first actor. */
  isOwn(ref: AnyActorRef): boolean
  /** Name of a receiver in another system, which may also be what a trace holds in its place. */
  outside(receiver: unknown): string
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
  /** How often each path was given, but for those below actors that are over: nobody will be named so. */
  names(): Record<string, number>
}

/** Actors by name, and what they are. */
export interface ActorNames {
  of(ref: AnyActorRef): Named
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
  const living = new Set<Known>()
  const sessions = new Map<string, Known>()
  const given = new Map(Object.entries(options.names ?? {}))
  const roots = new Map<string, number>()
  let system: object | undefined
  /** Made when somebody asks; who only records never does. */
  let paths: Map<string, Known> | undefined
  const claim = (up: Known | undefined, name: string): number => {
    const names = up ? (up.names ??= new Map<string, number>()) : roots
    let used = names.get(name)
    if (used === undefined) used = given.size === 0 ? 0 : (given.get(pathOf(up, name, 1)) ?? 0)
    names.set(name, ++used)
    return used
  }
  const add = (ref: AnyActorRef): Known => {
    const up = ref._parent && of(ref._parent)
    const about = describe(ref)
    const isNameless = ref.id === ref.sessionId
    const path = options.restored?.(ref)
    const name = isNameless ? `${up ? '~' : ''}${escapeId(about.src)}` : escapeId(textOf(ref.id))
    const entry = new Known(about, up, ref, name, path === undefined ? claim(up, name) : 1, path)
    if (isNameless) sessions.set(ref.sessionId, entry)
    system ??= ref.system
    if (isOwn(ref)) return enter(entry)
    tag(ref, entry)
    return entry
  }
  // A receiver may be anything that an app takes for an actor.
  const isOwn = (ref: { readonly system?: object } | undefined): boolean => ref?.system === system
  const enter = (entry: Known): Known => {
    if (entry.ref) tag(entry.ref, entry)
    living.add(entry)
    paths?.set(entry.path, entry)
    options.onActor(entry)
    return entry
  }
  const of = (ref: AnyActorRef): Known => find(ref) ?? add(ref)
  return {
    of,
    isOwn,
    outside(receiver) {
      if (receiver instanceof ActorReference) return receiver.path
      const isNamed = typeof receiver === 'object' && receiver !== null && isActor(receiver)
      return isNamed ? of(receiver).path : 'unknown'
    },
    names() {
      const all = Object.fromEntries(given)
      for (const [name, count] of roots) all[name] = count
      for (const up of living) for (const [name, count] of up.names ?? []) all[pathOf(up, name, 1)] = count
      return all
    },
    byPath(path) {
      paths ??= new Map([...living].map(entry => [entry.path, entry]))
      return paths.get(path)
    },
    adopt: (ref, { path, kind, src }) =>
      enter(new Known({ kind, src, leaf: true }, undefined, ref, '', 1, path)),
    embody(entry, ref) {
      entry.ref = ref
      tag(ref, entry)
    },
    rewrite: text =>
      sessions.size === 0
        ? text
        : text.replaceAll(/\bx:\d+\b/g, session => sessions.get(session)?.path ?? session),
    living: () => [...living],
    ended(entry) {
      if (options.keepEnded?.(entry)) return
      living.delete(entry)
      paths?.delete(entry.path)
      entry.ref = undefined
      entry.names = undefined
    },
  }
}

/** An id is text by its type, and anything in an app without types. */
function textOf(id: unknown): string {
  return typeof id === 'string' ? id : `(${typeof id})`
}

/** Keeps the separators of a path out of its segments. */
function escapeId(id: string): string {
  return /[%/#]/.test(id) ? id.replaceAll(/[%/#]/g, encodeURIComponent) : id
}

/** Never throws: XState takes anything for logic, and what does not work puts the actor into its error state. */
function describe(ref: AnyActorRef): Pick<Known, 'kind' | 'src' | 'leaf'> {
  const src = typeof ref.src === 'string' ? ref.src : '(anonymous)'
  try {
    const logic = logicOf(ref)
    if (isMachine(logic)) return { kind: 'machine', src: logic.id, leaf: false }
    return { kind: logicKind(logic), src, leaf: isLeaf(logic) }
  } catch {
    return { kind: 'other', src, leaf: false }
  }
}
