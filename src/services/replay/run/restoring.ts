// Makes recorded values and keyframes live again: copies, actor references, timers, counts.
import {
  type Actor,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyEventObject,
  fromCallback,
  fromObservable,
  fromPromise,
  type Snapshot,
} from 'xstate'
import {
  type ActorEntry,
  ActorReference,
  decodeValue,
  encodeValue,
  isPlain,
  type KeyframeRecord,
  MAX_DEPTH,
  Opaque,
  partsIn,
  readField,
  setOwn,
} from '../../../trace/index.ts'
import {
  type ActorRecord,
  type InlineSource,
  isMachine,
  type Registry,
  type TimerTable,
} from '../../recording/index.ts'
import { machinesOf } from '../../runtime/index.ts'

/** Returns the initial keyframe of a recording that was started on a running system. */
export function originOf({
  keyframes: [first],
}: {
  readonly keyframes: readonly KeyframeRecord[]
}): KeyframeRecord | undefined {
  return first?.at === 0 ? first : undefined
}

/** What is restored, and with what. */
interface Restoring {
  readonly root: Actor<AnyActorLogic>
  readonly registry: Registry
  readonly timers: TimerTable
  readonly find: (index: number) => AnyActorRef | undefined
}

/** Starts the restored root, sets its timers and counts, and returns the actors of the keyframe. */
export function restore(
  keyframe: KeyframeRecord,
  actors: readonly ActorEntry[],
  { root, registry, timers, find }: Restoring,
): ActorRecord[] {
  const { status } = root.getSnapshot() as Snapshot<unknown>
  // A stopped root was started again after its end.
  if (status === 'active' || status === 'stopped') root.start()
  const entries = actors.slice(0, keyframe.actors)
  for (const { path } of entries) reviveState(registry.byPath(path)?.ref, registry)
  for (const { ordinal, source, target, outside = '', event, delay, left = delay, id } of keyframe.timers) {
    const by = find(source)
    // A replay sends nothing to other systems, so the name of their actor is enough.
    const stranger = new ActorReference(outside) as unknown as AnyActorRef
    const to = target === undefined ? stranger : find(target)
    timers.next = ordinal
    if (!by || !to) continue
    root.system.scheduler.schedule(by, to, event as AnyEventObject, delay, id)
    timers.backdate(delay - left)
  }
  timers.next = keyframe.nextOrdinal
  for (const { actor, transitions, actions = 0, snapshots = 0, emits = 0, sends = 0 } of keyframe.leaves) {
    const counts = { transition: transitions, action: actions, snapshot: snapshots, emit: emits, send: sends }
    Object.assign(registry.byPath(entries[actor]?.path ?? '')?.counts ?? {}, counts)
  }
  return entries.map(entry => registry.byPath(entry.path) ?? registry.adopt(undefined, entry))
}

/** Replaces references in restored state by actors. */
export function reviveState(ref: AnyActorRef | undefined, registry: Registry): void {
  const snapshot = ref?.getSnapshot() as Snapshot<unknown> & { context?: unknown; input?: unknown }
  const find = (path: string) => registry.byPath(path)?.ref
  for (const part of [snapshot?.context, snapshot?.input, snapshot?.output]) reviveActors(part, find)
}

/** A persisted tree, with the actor table entry of every actor in it. */
export interface RestoredTree {
  readonly snapshot: object
  /** By persisted snapshot, which XState passes to the restored actor. */
  readonly entries: ReadonlyMap<unknown, ActorEntry>
  /** Actors whose logic is unknown. */
  readonly missing: readonly string[]
  /** Paths of leaves whose code is unknown. */
  readonly silent: readonly string[]
}

interface Child {
  snapshot: Persisted
  src: unknown
}

interface Persisted {
  children?: Record<string, Child>
}

const never = { subscribe: () => ({ unsubscribe: () => undefined }) }

/** Leaves have no effect in a replay, so any logic of the same kind can replace theirs. */
const ANY: Readonly<Partial<Record<string, AnyActorLogic>>> = {
  promise: fromPromise(() => new Promise(() => undefined)),
  callback: fromCallback(() => undefined),
  observable: fromObservable(() => never),
}

/** Modifies the keyframe's snapshot in place, so the keyframe must be a copy. */
export function restoredTree(
  keyframe: KeyframeRecord,
  actors: readonly ActorEntry[],
  root: AnyActorLogic,
): RestoredTree {
  const indices = keyframe.tree ?? Array.from({ length: keyframe.actors }, (_, at) => at)
  const machines = isMachine(root) ? machinesOf(root) : new Map<string, AnyActorLogic>()
  const entries = new Map<unknown, ActorEntry>()
  const missing: string[] = []
  const silent: string[] = []
  let at = 0
  const visit = (snapshot: Persisted) => {
    const entry = actors[indices[at++] ?? -1]
    if (entry) entries.set(snapshot, entry)
    for (const child of Object.values(snapshot.children ?? {})) {
      if (typeof child.src === 'object' && child.src !== null) {
        const { inline, machine } = child.src as InlineSource
        child.src = inline === 'machine' ? machines.get(machine ?? '') : ANY[inline]
        if (child.src === undefined) missing.push(machine ?? inline)
        else if (inline !== 'machine') silent.push(actors[indices[at] ?? -1]?.path ?? inline)
      }
      visit(child.snapshot)
    }
  }
  visit(keyframe.snapshot as Persisted)
  return { snapshot: keyframe.snapshot as object, entries, missing, silent }
}

/** Finds an actor by path. */
export type FindActor = (path: string) => AnyActorRef | undefined

/** Replaces references by actors. The value is modified in place, so it must be a copy. */
function reviveActors(value: unknown, find: FindActor, seen = new Set<object>()): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof ActorReference) return find(value.path) ?? value
  if (ArrayBuffer.isView(value) || seen.has(value)) return value
  seen.add(value)
  if (value instanceof Map) for (const [key, item] of value) value.set(key, reviveActors(item, find, seen))
  for (const [key, item] of Object.entries<unknown>(value as Record<string, unknown>)) {
    const revived = typeof item === 'object' ? reviveActors(item, find, seen) : item
    if (revived !== item) Object.defineProperty(value, key, { value: revived })
  }
  return value
}

/**
 * Copies a value, because a replay must not modify a trace in memory. With
 * `find`, references become actors.
 */
export function copy<T>(value: T, find?: FindActor): T {
  return copyOf(value, 0, { find, root: value, left: UNSHARED, isLarge: false, copies: new Map() }) as T
}

/**
 * Objects that a file writes once may have been several in the recording, so each is copied wherever it occurs. The
 * number of these copies is limited, because shared objects may occur very often: to this many, and then to a multiple
 * of the number of different parts, so that the time is linear in the size of the value.
 */
const UNSHARED = 2_000
const UNSHARED_PER_PART = 100
const MAX_UNSHARED = 100_000

interface Copying {
  readonly find: FindActor | undefined
  readonly root: unknown
  left: number
  isLarge: boolean
  /** By original. An object that contains itself has none while it is copied. */
  readonly copies: Map<object, unknown>
}

function copyOf(value: unknown, depth: number, copying: Copying): unknown {
  if (typeof value !== 'object' || value === null) return copyNew(value, depth, copying)
  copying.left -= 1
  if (copying.left === 0 && !copying.isLarge) {
    copying.isLarge = true
    const parts = partsIn(copying.root)
    copying.left = Math.max(parts, Math.min(parts * UNSHARED_PER_PART, MAX_UNSHARED))
  }
  if (copying.left > 0) return copyNew(value, depth, copying)
  const known = copying.copies.get(value)
  if (known !== undefined) return known
  const made = copyNew(value, depth, copying)
  copying.copies.set(value, made)
  return made
}

function copyNew(value: unknown, depth: number, copying: Copying): unknown {
  const { find } = copying
  if (typeof value === 'symbol') return Symbol(value.description)
  if (typeof value !== 'object' || value === null)
    return typeof value === 'function' ? withLiveActors(value, find) : value
  if (depth >= MAX_DEPTH) return withLiveActors(value, find)
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (let at = 0; at < value.length; at++) list.push(copyOf(value[at], depth + 1, copying))
    return list
  }
  // App code recognizes a thrown symbol by `typeof`.
  if (value instanceof Opaque && value.kind === 'symbol') return Symbol(value.name)
  if (!isPlain(value)) return withLiveActors(value, find)
  const out: { [key: string]: unknown } = {}
  for (const key of Object.keys(value)) setOwn(out, key, copyOf(readField(value, key), depth + 1, copying))
  return out
}

/** Encodes and decodes values other than plain objects, as if they were read from a file. */
function withLiveActors(value: unknown, find: FindActor | undefined): unknown {
  const read = decodeValue(encodeValue(value))
  return find ? reviveActors(read, find) : read
}
