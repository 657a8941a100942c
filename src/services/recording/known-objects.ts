// Recognizes objects that an event has in common with the system's state, or with an earlier event, so that
// they are the same objects in a replay.
import type { AnyActorRef } from 'xstate'
import {
  eachPart,
  MAX_DEPTH,
  MOST_DENSE,
  ownField,
  type PathKey,
  pointerOf,
  type SameObject,
  standInFor,
  type Stimulus,
} from '../../trace/index.ts'
import { AppClasses, type Codec } from '../runtime/index.ts'
import type { ActorRecord } from './actor-record.ts'
import type { Registry } from './actor-registry.ts'
import { isActor } from './is-actor.ts'
import { type FormOfValues, isLiveSnapshot } from './plain.ts'

/** Where an object was found: a path in an event, or in the state of an actor before that event. */
class Origin {
  readonly up: Origin | undefined
  readonly key: PathKey
  /** Number of the stimulus. */
  readonly seq: number
  readonly actor: ActorRecord | undefined

  constructor(up: Origin | undefined, key: PathKey, seq: number, actor?: ActorRecord) {
    this.up = up
    this.key = key
    this.seq = seq
    this.actor = actor
  }
}

/** An object in a record, and its origin. */
interface Known {
  readonly at: Origin
  readonly of: Origin
}

/** An instance in a record, and the name of its class. */
interface TypeAt {
  readonly at: Origin
  readonly name: string
}

/** The objects of a record that were known, and the instances of classes among the others. */
export interface KnownObjects {
  /** Converts them for the record with this number. */
  plain(
    seq: number,
    indexOf: (known: ActorRecord) => number,
    text: (key: string) => string,
  ): Pick<Stimulus, 'same' | 'types' | 'partial'>
}

/** What a recording needs to preserve the identity and the classes of objects, and the form of secrets. */
export interface ObjectTracking extends FormOfValues {
  readonly index?: (registry: Pick<Registry, 'of'>) => ObjectIndex
}

/** For recordings of machines that compare objects by identity, use classes, or look into secrets. */
export function trackObjects(codec?: Codec, identity = true): ObjectTracking {
  const classes = new AppClasses(codec)
  return {
    encode: object => classes.encode(object),
    standIn: standInFor,
    ...(identity && { index: registry => new ObjectIndex(registry, classes) }),
  }
}

/**
 * Number of objects that may be examined at once, and by how many that grows with each event that contains
 * objects: a burst takes some 20 ms at most, and every further event 0.2 ms.
 */
const MOST = 20_000
const PER_EVENT = 200

/** Actors whose state is searched for each event. */
const MOST_ACTORS = 100

/** The parts of snapshots that are written. */
const PARTS = ['context', 'output', 'error', 'input'] as const

/** Knows the objects of one log. Every object is examined once, when an event first contains an unknown one. */
export class ObjectIndex {
  readonly #entryOf: Registry['of']
  readonly #classes: AppClasses
  readonly #origins = new WeakMap<object, Origin>()
  /** The snapshot of each actor that was examined last. */
  readonly #seen = new WeakMap<AnyActorRef, unknown>()
  #left = MOST
  #isPartial = false

  constructor({ of }: Pick<Registry, 'of'>, classes: AppClasses) {
    this.#entryOf = of
    this.#classes = classes
  }

  /** Finds the known objects of an event, and remembers the others. Never throws. */
  inEvent(
    event: object,
    seq: number,
    to: ActorRecord,
    from: ActorRecord | undefined,
  ): KnownObjects | undefined {
    this.#isPartial = false
    this.#left = Math.min(MOST, this.#left + PER_EVENT)
    const objects: Known[] = []
    const types: TypeAt[] = []
    const root = new Origin(undefined, '', seq)
    let isCurrent = false
    const find = (object: object): Origin | undefined => {
      const known = this.#origins.get(object)
      if (known || isCurrent) return known
      isCurrent = true
      this.#examineState(seq, to, from)
      return this.#origins.get(object)
    }
    const visit = (object: object, at: Origin, depth: number): void => {
      if (isActor(object)) return
      const of = find(object)
      if (of) return void objects.push({ at, of })
      if (!this.#enter(object, at, depth)) return
      const name = this.#classes.nameOf(object)
      if (name !== undefined) types.push({ at, name })
      if (name !== undefined && this.#classes.isEncoded(object)) return
      eachWritten(object, (part, key) => visit(part, new Origin(at, key, seq), depth + 1))
    }
    try {
      const name = this.#classes.nameOf(event)
      if (name !== undefined) types.push({ at: root, name })
      eachWritten(event, (part, key) => visit(part, new Origin(root, key, seq), 1))
    } catch {
      // A proxy that throws has no identity to preserve.
    }
    return whatIsKnown(objects, types, this.#isPartial)
  }

  /** Finds the known objects of a keyframe's snapshot, and those that occur in it several times. */
  inKeyframe(snapshot: unknown, seq: number): KnownObjects | undefined {
    const objects: Known[] = []
    const types: TypeAt[] = []
    const seen = new Map<object, Origin>()
    const visit = (object: object, at: Origin, within: Origin | undefined, depth: number): void => {
      if (isActor(object) || depth > MAX_DEPTH || seen.size > MOST) return
      const isActorState = isChildSnapshot(at)
      const twin = seen.get(object)
      if (twin && !isActorState) return void objects.push({ at, of: twin })
      if (!twin) seen.set(object, at)
      const of = isActorState ? undefined : this.#origins.get(object)
      if (of && (!within || of.up !== within || of.key !== at.key)) objects.push({ at, of })
      const name = this.#classes.nameOf(object)
      if (name !== undefined) types.push({ at, name })
      if (name !== undefined && this.#classes.isEncoded(object)) return
      eachWritten(object, (part, key) => visit(part, new Origin(at, key, seq), of, depth + 1))
    }
    try {
      if (typeof snapshot === 'object' && snapshot !== null)
        visit(snapshot, new Origin(undefined, '', seq), undefined, 0)
    } catch {
      // As above.
    }
    return whatIsKnown(objects, types, seen.size > MOST)
  }

  /** Remembers an object, unless the limit is reached. */
  #enter(object: object, at: Origin, depth: number): boolean {
    if (depth > MAX_DEPTH) return false
    this.#left -= 1
    if (this.#left < 0) {
      this.#isPartial = true
      return false
    }
    this.#origins.set(object, at)
    return true
  }

  #examineState(seq: number, to: ActorRecord, from: ActorRecord | undefined): void {
    const queue: AnyActorRef[] = []
    for (let known: ActorRecord | undefined = from; known; known = known.up) add(queue, known.ref)
    for (let known: ActorRecord | undefined = to; known; known = known.up) add(queue, known.ref)
    for (let at = 0; at < queue.length && at < MOST_ACTORS; at++) {
      const ref = queue[at] as AnyActorRef
      const snapshot: unknown = ref.getSnapshot()
      if (typeof snapshot !== 'object' || snapshot === null) continue
      const before = this.#seen.get(ref)
      if (before !== snapshot) this.#examine(ref, snapshot, before, seq)
      const children = ownField(snapshot, 'children')
      if (typeof children === 'object' && children !== null)
        for (const child of Object.values<unknown>(children as Record<string, unknown>))
          if (typeof child === 'object' && child !== null && isActor(child)) add(queue, child)
      if (queue.length > MOST_ACTORS) this.#isPartial = true
    }
  }

  #examine(ref: AnyActorRef, snapshot: object, before: unknown, seq: number): void {
    this.#seen.set(ref, snapshot)
    const root = new Origin(undefined, '', seq, this.#entryOf(ref))
    this.#origins.set(snapshot, root)
    for (const part of PARTS) {
      const given = part === 'input' && before === undefined ? inputOf(ref) : undefined
      const value: unknown = ownField(snapshot, part) ?? given
      if (typeof value === 'object' && value !== null)
        this.#examineValue(value, new Origin(root, part, seq, root.actor), ownOf(before, part), 1)
    }
  }

  /** What is in the same place as before was examined already. */
  #examineValue(value: object, at: Origin, before: unknown, depth: number): void {
    if (value === before || isActor(value) || this.#origins.has(value)) return
    if (!this.#enter(value, at, depth) || this.#classes.isEncoded(value)) return
    const visit = (part: object, key: PathKey, then: unknown) =>
      this.#examineValue(part, new Origin(at, key, at.seq, at.actor), then, depth + 1)
    const lists = Array.isArray(value) && Array.isArray(before)
    if (lists && value.length <= MOST_DENSE) eachNewItem(value, before, visit)
    else eachWritten(value, (part, key) => visit(part, key, ownOf(before, key)))
  }
}

/**
 * Whether a place in a keyframe is the snapshot of an actor. Actors may start with the same object; a restored
 * tree recognizes each by its own.
 */
function isChildSnapshot({ key, up }: Origin): boolean {
  const list = up?.up
  if (key !== 'snapshot' || list?.key !== 'children' || !list.up) return false
  return !list.up.up || isChildSnapshot(list.up)
}

/** The input is missing in XState's types (5.33), and in snapshots of machines. */
function inputOf(ref: AnyActorRef): unknown {
  return (ref as { readonly options?: { readonly input?: unknown } }).options?.input
}

function whatIsKnown(
  objects: readonly Known[],
  types: readonly TypeAt[],
  isPartial: boolean,
): KnownObjects | undefined {
  if (objects.length + types.length === 0 && !isPartial) return undefined
  return { plain: (...given) => plainObjects(objects, types, isPartial, ...given) }
}

function add(queue: AnyActorRef[], ref: AnyActorRef | undefined): void {
  if (ref && !queue.includes(ref)) queue.push(ref)
}

function ownOf(value: unknown, key: PathKey): unknown {
  return typeof value === 'object' && value !== null ? ownField(value, key) : undefined
}

/** Calls `visit` with each object inside a value that is written. */
function eachWritten(value: object, visit: (part: object, key: PathKey) => void): void {
  if (!isLiveSnapshot(value)) return eachPart(value, visit)
  for (const key of PARTS) {
    const part = ownField(value, key)
    if (typeof part === 'object' && part !== null) visit(part, key)
  }
}

/** Leaves out the items at the start and at the end that are the same as before. */
function eachNewItem(
  list: readonly unknown[],
  before: readonly unknown[],
  visit: (part: object, key: number, then: unknown) => void,
): void {
  const most = Math.min(list.length, before.length)
  let start = 0
  while (start < most && list[start] === before[start]) start += 1
  let same = 0
  while (same < most - start && list.at(-1 - same) === before.at(-1 - same)) same += 1
  for (let at = start; at < list.length - same; at++) {
    const item = list[at]
    if (typeof item === 'object' && item !== null) visit(item, at, before[at])
  }
}

function plainObjects(
  objects: readonly Known[],
  types: readonly TypeAt[],
  isPartial: boolean,
  seq: number,
  indexOf: (known: ActorRecord) => number,
  text: (key: string) => string,
): Pick<Stimulus, 'same' | 'types' | 'partial'> {
  const same = objects.map(({ at, of }): SameObject => ({
    at: pathOf(at, text),
    ...(of.seq < seq && { back: seq - of.seq }),
    ...(of.actor && { actor: indexOf(of.actor) }),
    path: pathOf(of, text),
  }))
  return {
    ...(same.length > 0 && { same }),
    ...(types.length > 0 && {
      types: types.map(({ at, name }) => ({ at: pathOf(at, text), name: text(name) })),
    }),
    ...(isPartial && { partial: true }),
  }
}

/** Keys may be secrets. */
function pathOf(origin: Origin, text: (key: string) => string): string {
  const keys: PathKey[] = []
  for (let at = origin; at.up; at = at.up) keys.push(typeof at.key === 'string' ? text(at.key) : at.key)
  return pointerOf(keys.reverse())
}
