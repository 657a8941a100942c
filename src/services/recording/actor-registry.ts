// The actors of a running system by name: parent path + id + ordinal, never the process-wide session id.
import type { AnyActorRef } from 'xstate'
import { logicOf } from './capture.ts'
import { Known, pathOf } from './known-actor.ts'
import { isLeaf, isMachine, logicKind } from './logic-kind.ts'
import { createTags } from './tags.ts'

export type { Known } from './known-actor.ts'

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
    const name = isNameless ? `${up ? '~' : ''}${escapeId(about.src)}` : escapeId(ref.id)
    const entry = new Known(about, up, ref, name, path === undefined ? claim(up, name) : 1, path)
    if (isNameless) sessions.set(ref.sessionId, entry)
    return enter(entry)
  }
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

/** Keeps the separators of a path out of its segments. */
function escapeId(id: string): string {
  return /[%/#]/.test(id) ? id.replaceAll(/[%/#]/g, encodeURIComponent) : id
}

function describe(ref: AnyActorRef): Pick<Known, 'kind' | 'src' | 'leaf'> {
  const logic = logicOf(ref)
  if (isMachine(logic)) return { kind: 'machine', src: logic.id, leaf: false }
  const src = typeof ref.src === 'string' ? ref.src : '(anonymous)'
  return { kind: logicKind(logic), src, leaf: isLeaf(logic) }
}
