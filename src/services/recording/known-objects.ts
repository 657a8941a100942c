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
import { createTags, type Registry } from './actor-registry.ts'
import { isActor } from './is-actor.ts'
import { type FormOfValues, isLiveSnapshot } from './plain.ts'

/** Where an object was found: a path in an event, or in the state of an actor before that event. */
export class Origin {
  readonly up: Origin | undefined
  readonly key: PathKey
  /** Number of the stimulus among those of all logs of a recording. */
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
  readonly index?: (registry: Pick<Registry, 'living'>) => ObjectIndex
}

/** For recordings of machines that compare objects by identity, use classes, or look into secrets. */
export function trackObjects(codec?: Codec, identity = true): ObjectTracking {
  const classes = new AppClasses(codec)
  const origins = new Origins()
  return {
    encode: object => classes.encode(object),
    standIn: standInFor,
    ...(identity && { index: registry => new ObjectIndex(registry, classes, origins) }),
  }
}

/**
 * Number of objects that may be examined at once, and by how many that grows with each event that contains
 * objects: a burst takes some 20 ms at most, and every further event 0.2 ms.
 */
const MOST = 20_000
const PER_EVENT = 200

/** Actors whose state is examined for an event. */
const MOST_ACTORS = 1000

/** The parts of snapshots that are written. */
const PARTS = ['context', 'output', 'error', 'input'] as const

/** The origins of a recording's objects. They are stored in the objects, since a WeakMap takes several times as long. */
class Origins {
  readonly #tags = createTags<Origin>()
  /** One more than the highest number used. */
  next = 0

  /** Returns the origin of an object, unless it is older than the given number. */
  of(object: object, first: number): Origin | undefined {
    const origin = this.#tags.find(object)
    return origin && origin.seq >= first ? origin : undefined
  }

  set(object: object, origin: Origin): void {
    this.#tags.tag(object, origin)
  }
}

/** Knows the objects of one log. Every object is examined once, when an event first contains an unknown one. */
export class ObjectIndex {
  readonly #registry: Pick<Registry, 'living'>
  readonly #classes: AppClasses
  readonly #origins: Origins
  /** Number of the log's first stimulus among those of all logs. */
  readonly #first: number
  #left = MOST
  #isPartial = false

  constructor(registry: Pick<Registry, 'living'>, classes: AppClasses, origins = new Origins()) {
    this.#registry = registry
    this.#classes = classes
    this.#origins = origins
    this.#first = origins.next
  }

  /** Finds the known objects of an event, and remembers the others. Never throws. */
  inEvent(event: object, seq: number): KnownObjects | undefined {
    this.#isPartial = false
    this.#left = Math.min(MOST, this.#left + PER_EVENT)
    const objects: Known[] = []
    const types: TypeAt[] = []
    const now = this.#first + seq
    this.#origins.next = now + 1
    const root = new Origin(undefined, '', now)
    let isCurrent = false
    const find = (object: object): Origin | undefined => {
      const known = this.#of(object)
      if (known || isCurrent) return known
      isCurrent = true
      this.#examineState(now)
      return this.#of(object)
    }
    const visit = (object: object, at: Origin, depth: number): void => {
      if (isActor(object)) return
      const of = find(object)
      if (of) return void objects.push({ at, of })
      if (!this.#enter(object, at, depth)) return
      const name = this.#classes.nameOf(object)
      if (name !== undefined) types.push({ at, name })
      if (name !== undefined && this.#classes.isEncoded(object)) return
      eachWritten(object, (part, key) => visit(part, new Origin(at, key, now), depth + 1))
    }
    try {
      const name = this.#classes.nameOf(event)
      if (name !== undefined) types.push({ at: root, name })
      eachWritten(event, (part, key) => visit(part, new Origin(root, key, now), 1))
    } catch {
      // A proxy that throws has no identity to preserve.
    }
    return whatIsKnown(objects, types, this.#isPartial, this.#first)
  }

  /** Finds the known objects of a keyframe's snapshot, and those that occur in it several times. */
  inKeyframe(snapshot: unknown, seq: number): KnownObjects | undefined {
    const objects: Known[] = []
    const types: TypeAt[] = []
    const seen = new Map<object, Origin>()
    const now = this.#first + seq
    const visit = (object: object, at: Origin, within: Origin | undefined, depth: number): void => {
      if (isActor(object) || depth > MAX_DEPTH || seen.size > MOST) return
      const isActorState = isChildSnapshot(at)
      const twin = seen.get(object)
      if (twin && !isActorState) return void objects.push({ at, of: twin })
      if (!twin) seen.set(object, at)
      const of = isActorState ? undefined : this.#of(object)
      if (of && (!within || of.up !== within || of.key !== at.key)) objects.push({ at, of })
      const name = this.#classes.nameOf(object)
      if (name !== undefined) types.push({ at, name })
      if (name !== undefined && this.#classes.isEncoded(object)) return
      eachWritten(object, (part, key) => visit(part, new Origin(at, key, now), of, depth + 1))
    }
    try {
      if (typeof snapshot === 'object' && snapshot !== null)
        visit(snapshot, new Origin(undefined, '', now), undefined, 0)
    } catch {
      // As above.
    }
    return whatIsKnown(objects, types, seen.size > MOST, this.#first)
  }

  #of(object: object): Origin | undefined {
    return (
      this.#origins.of(object, this.#first) ?? (isLiveSnapshot(object) ? this.#ofSnapshot(object) : undefined)
    )
  }

  /** Snapshots are not tagged: that would slow down XState's own code. */
  #ofSnapshot(snapshot: object): Origin | undefined {
    for (const { examined } of this.#registry.living())
      if (examined?.snapshot === snapshot && examined.by === this) return examined.root
    return undefined
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

  /** Examines the actors whose state has changed. */
  #examineState(seq: number): void {
    let left = MOST_ACTORS
    for (const entry of this.#registry.living()) {
      if (--left < 0) {
        this.#isPartial = true
        return
      }
      const snapshot = (entry.ref as Inner | undefined)?._snapshot
      const { examined } = entry
      const before = examined?.by === this ? examined.snapshot : undefined
      if (snapshot === before || typeof snapshot !== 'object' || snapshot === null) continue
      const root = new Origin(undefined, '', seq, entry)
      entry.examined = { by: this, snapshot, root }
      this.#examine(root, entry, snapshot, before)
    }
  }

  /** Snapshots have no getters, unless they are those of custom logic. */
  #examine(root: Origin, entry: ActorRecord, snapshot: object, before: object | undefined): void {
    const read = entry.kind === 'other' ? ownField : fieldOf
    for (const part of PARTS) {
      const given = part === 'input' && before === undefined ? inputOf(entry.ref) : undefined
      const value: unknown = read(snapshot, part) ?? given
      if (typeof value !== 'object' || value === null) continue
      const then = before && read(before, part)
      if (value !== then) this.#examineValue(value, new Origin(root, part, root.seq, entry), then, 1)
    }
  }

  /** An object in the same place as before was examined already. */
  #examineValue(value: object, at: Origin, before: unknown, depth: number): void {
    if (value === before || isActor(value) || this.#of(value)) return
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

/** The parts of an actor that are missing in XState's types (5.33). */
interface Inner {
  readonly _snapshot: unknown
  readonly options?: { readonly input?: unknown }
}

/** The input is missing in snapshots of machines. */
function inputOf(ref: AnyActorRef | undefined): unknown {
  return (ref as Inner | undefined)?.options?.input
}

function whatIsKnown(
  objects: readonly Known[],
  types: readonly TypeAt[],
  isPartial: boolean,
  first: number,
): KnownObjects | undefined {
  if (objects.length + types.length === 0 && !isPartial) return undefined
  return { plain: (seq, ...given) => plainObjects(objects, types, isPartial, first + seq, ...given) }
}

function fieldOf(value: object, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key]
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
