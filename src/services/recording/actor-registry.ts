// Names the actors of a running system: parent path + id + ordinal, never the process-wide session id.
import type { AnyActorRef, AnyStateMachine } from 'xstate'
import { machineKeys } from '../runtime/index.ts'
import { logicOf } from './capture.ts'
import { ActorRecord, pathOf } from './actor-record.ts'
import { isLeaf, isMachine, logicKind } from './logic-kind.ts'
import { isActor } from './is-actor.ts'
import { pathSegment, ActorReference } from '../../trace/index.ts'

type Named = Pick<ActorRecord, 'path' | 'kind' | 'src'>

export interface Registry {
  /**
   * Returns the actor's entry and names the actor on the first call. An actor of another system only gets a
   * name.
   */
  of(ref: AnyActorRef): ActorRecord
  /** Whether the actor belongs to this system, which is the system of the first actor. */
  isOwn(ref: AnyActorRef): boolean
  /** Name of a receiver in another system. In a replay, the receiver may be a trace's reference to it. */
  outside(receiver: unknown): string
  byPath(path: string): ActorRecord | undefined
  /** Adds an actor under a given name. An actor that has ended has no reference. */
  adopt(ref: AnyActorRef | undefined, entry: Named): ActorRecord
  /** Assigns an actor reference to an entry that had only a name, or whose actor continues after its end. */
  embody(known: ActorRecord, ref: AnyActorRef): void
  /** Actors that have not ended, in order of creation. */
  living(): ReadonlySet<ActorRecord>
  ended(known: ActorRecord): void
  /** Replaces session ids by paths, for actors without an id. */
  rewrite(text: string): string
  /** How often each path was assigned, except below ended actors, whose names are not reused. */
  names(): Record<string, number>
}

export interface RegistryOptions {
  readonly onActor: (known: ActorRecord) => void
  /** Path of an actor that a keyframe restores; it keeps its earlier path. */
  readonly restored?: (ref: AnyActorRef) => string | undefined
  readonly names?: Readonly<Record<string, number>>
  /** Whether an ended actor is kept. By default none are. */
  readonly keepEnded?: (known: ActorRecord) => boolean
}

/** Creates an empty registry. */
export function createRegistry(options: RegistryOptions): Registry {
  const { find, tag } = createTags<ActorRecord>()
  const living = new Set<ActorRecord>()
  const sessions = new Map<string, ActorRecord>()
  const given = new Map(Object.entries(options.names ?? {}))
  const roots = new Map<string, number>()
  let system: object | undefined
  /** Built on first use; recording alone never needs it. */
  let paths: Map<string, ActorRecord> | undefined
  /** Keys of machines below the root; built with the first of them. */
  let keys: ReturnType<typeof machineKeys> | undefined
  let root: AnyActorRef | undefined
  const keyOf = (ref: AnyActorRef, machine: AnyStateMachine): string => {
    root ??= ref
    if (ref === root) return machine.id
    return (keys ??= machineKeys(logicOf(root)))(machine)
  }
  const claim = (up: ActorRecord | undefined, name: string): number => {
    const names = up ? (up.names ??= new Map<string, number>()) : roots
    let used = names.get(name)
    if (used === undefined) used = given.size === 0 ? 0 : (given.get(pathOf(up, name, 1)) ?? 0)
    names.set(name, ++used)
    return used
  }
  const add = (ref: AnyActorRef): ActorRecord => {
    const up = ref._parent && of(ref._parent)
    const { id: ownId, ...about } = describe(ref, keyOf)
    const isNameless = ref.id === ref.sessionId
    const path = options.restored?.(ref)
    const name = isNameless
      ? `${up ? '~' : ''}${pathSegment(ownId ?? about.src)}`
      : pathSegment(textOf(ref.id))
    const entry = new ActorRecord(about, up, ref, name, path === undefined ? claim(up, name) : 1, path)
    if (isNameless) sessions.set(ref.sessionId, entry)
    system ??= ref.system
    if (isOwn(ref)) return enter(entry)
    tag(ref, entry)
    return entry
  }
  // A receiver may be anything that an app uses as an actor.
  const isOwn = (ref: { readonly system?: object } | undefined): boolean => ref?.system === system
  const enter = (entry: ActorRecord): ActorRecord => {
    if (entry.ref) tag(entry.ref, entry)
    living.add(entry)
    paths?.set(entry.path, entry)
    options.onActor(entry)
    return entry
  }
  const of = (ref: AnyActorRef): ActorRecord => find(ref) ?? add(ref)
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
      enter(new ActorRecord({ kind, src, leaf: true }, undefined, ref, '', 1, path)),
    embody(entry, ref) {
      entry.ref = ref
      tag(ref, entry)
      living.add(entry)
      paths?.set(entry.path, entry)
    },
    rewrite: text =>
      sessions.size === 0
        ? text
        : text.replaceAll(/\bx:\d+\b/g, session => sessions.get(session)?.path ?? session),
    living: () => living,
    ended(entry) {
      if (options.keepEnded?.(entry)) return
      living.delete(entry)
      paths?.delete(entry.path)
      entry.ref = undefined
      entry.names = undefined
      entry.examined = undefined
    },
  }
}

/** The type says string, but an app without types may pass anything. */
function textOf(id: unknown): string {
  return typeof id === 'string' ? id : `(${typeof id})`
}

/** Never throws: XState accepts any value as logic, and invalid logic puts the actor in its error state. */
function describe(
  ref: AnyActorRef,
  keyOf: (ref: AnyActorRef, machine: AnyStateMachine) => string,
): Pick<ActorRecord, 'kind' | 'src' | 'leaf'> & { readonly id?: string } {
  const src = typeof ref.src === 'string' ? ref.src : '(anonymous)'
  try {
    const logic = logicOf(ref)
    if (isMachine(logic)) return { kind: 'machine', src: keyOf(ref, logic), leaf: false, id: logic.id }
    return { kind: logicKind(logic), src, leaf: isLeaf(logic) }
  } catch {
    return { kind: 'other', src, leaf: false }
  }
}

/** Reads and writes the tags of one owner. */
interface Tags<T extends object> {
  find(this: void, object: object): T | undefined
  tag(this: void, object: object, value: T): void
}

/**
 * A constructor that returns its argument, so that a derived class adds its private fields to that object.
 */
const Given = function given(object: object) {
  return object
} as unknown as new (object: object) => object

class Tag extends Given {
  readonly #owner: object
  #value: object

  constructor(object: object, owner: object, value: object) {
    super(object)
    this.#owner = owner
    this.#value = value
  }

  static has(object: object): object is Tag {
    return #owner in object
  }

  static find(object: object, owner: object): object | undefined {
    return #owner in object && object.#owner === owner ? object.#value : undefined
  }

  static update(tag: Tag, owner: object, value: object): boolean {
    if (tag.#owner !== owner) return false
    tag.#value = value
    return true
  }
}

/** Creates an owner of tags. Lookups are fastest for the owner that tags an object first. */
export function createTags<T extends object>(): Tags<T> {
  const owner = {}
  let others: WeakMap<object, T> | undefined
  return {
    find: object => (Tag.find(object, owner) as T | undefined) ?? others?.get(object),
    tag(object, value) {
      if (!Tag.has(object)) void new Tag(object, owner, value)
      else if (!Tag.update(object, owner, value)) (others ??= new WeakMap()).set(object, value)
    },
  }
}
