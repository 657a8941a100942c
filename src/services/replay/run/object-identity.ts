// Gives objects of repeated events their class, and makes them the same as those in the replay's state or in
// earlier events, as recorded.
import type { AnyActorRef, Snapshot } from 'xstate'
import {
  eachPart,
  encodeValue,
  type KeyframeRecord,
  MAX_DEPTH,
  partAt,
  pointerOf,
  replacePart,
  type ReplayableTrace,
  type SameObject,
  sentEvent,
  type Stimulus,
  type TraceHeader,
  type TypedObject,
} from '../../../trace/index.ts'
import type { AppClasses } from '../../runtime/index.ts'
import { isAlike, type PathOf } from './alike.ts'
import { copy } from './restoring.ts'

/** How the replay finds actors, and the recorded form of its values. */
export interface IdentityParts {
  readonly find: (index: number) => AnyActorRef | undefined
  readonly pathOf: PathOf
  readonly plain: (value: unknown) => unknown
  readonly classes: AppClasses
}

/** An object at a stimulus: in its event, or in the state of an actor before it. */
interface Place {
  readonly actor: number | undefined
  readonly path: string
}

/** Tracks the objects that later events of a recording refer to. */
export class ObjectIdentity {
  readonly #parts: IdentityParts
  readonly #stimuli: readonly Stimulus[]
  /** By the number of the stimulus at which the objects were found. */
  readonly #places = new Map<number, Map<string, Place>>()
  /** The objects that were found, by stimulus and place. */
  readonly #found = new Map<string, object>()

  constructor({ stimuli }: ReplayableTrace, parts: IdentityParts) {
    this.#parts = parts
    this.#stimuli = stimuli
    for (const { seq, same } of stimuli) for (const one of same ?? []) this.#expect(seq, one)
  }

  #expect(record: number, { back = 0, actor, path }: SameObject): void {
    if (back === 0 && actor === undefined) return
    const seq = record - back
    const places = this.#places.get(seq) ?? new Map<string, Place>()
    this.#places.set(seq, places)
    places.set(keyOf(actor, path), { actor, path })
  }

  /** Returns a copy of the root's input, in which objects have their class and identity. */
  input({ input: recorded, same = [], types = [] }: TraceHeader): unknown {
    const input = copy(recorded)
    this.#parts.classes.restore(input, types, recorded)
    for (const { at, path } of same) this.#replace(input, at, partAt(input, path))
    return input
  }

  /** Restores the objects of a keyframe's snapshot, which is modified in place. */
  restore({ snapshot, at: record, same = [], types = [] }: KeyframeRecord, recorded: unknown): void {
    this.#parts.classes.restore(snapshot, types, recorded)
    const origins: [string, string][] = []
    for (const { at, back = 0, actor, path } of same) {
      if (back > 0 || actor !== undefined) origins.push([`${record - back} ${keyOf(actor, path)}`, at])
      else this.#replace(snapshot, at, partAt(snapshot, path))
    }
    for (const [key, at] of origins) {
      const object = partAt(snapshot, at)
      if (isObject(object)) this.#found.set(key, object)
    }
  }

  /** The objects of a keyframe of this replay that later events refer to, and those that occur several times. */
  inKeyframe(snapshot: unknown, record: number): Pick<KeyframeRecord, 'same' | 'types'> {
    const known = new Map<object, Omit<SameObject, 'at'>>()
    for (const [seq, places] of this.#places) {
      if (seq >= record) continue
      for (const { actor, path } of places.values()) {
        const object = this.#at(seq, actor, path)
        const place = { back: record - seq, ...(actor !== undefined && { actor }), path }
        if (isObject(object)) this.#remember(object, place, known)
      }
    }
    const same: SameObject[] = []
    const types: TypedObject[] = []
    const { classes } = this.#parts
    const seen = new Map<object, string>()
    const visit = (object: object, at: string, depth: number): void => {
      if (this.#parts.pathOf(object) !== undefined || depth > MAX_DEPTH) return
      const isActorState = CHILD_SNAPSHOT.test(at)
      const twin = seen.get(object)
      if (twin !== undefined && !isActorState) return void same.push({ at, path: twin })
      if (twin === undefined) seen.set(object, at)
      const place = isActorState ? undefined : known.get(object)
      if (place) same.push({ at, ...place })
      const name = classes.nameOf(object)
      if (name !== undefined) types.push({ at, name })
      if (name !== undefined && classes.isEncoded(object)) return
      eachPart(object, (part, key) => visit(part, `${at}${pointerOf([key])}`, depth + 1))
    }
    if (isObject(snapshot)) visit(snapshot, '', 0)
    return { ...(same.length > 0 && { same }), ...(types.length > 0 && { types }) }
  }

  /** Parts of an object may be in the state, although the object is not. */
  #remember(object: object, place: Omit<SameObject, 'at'>, known: Map<object, Omit<SameObject, 'at'>>): void {
    if (known.has(object) || this.#parts.pathOf(object) !== undefined) return
    known.set(object, place)
    eachPart(object, (part, key) =>
      this.#remember(part, { ...place, path: place.path + pointerOf([key]) }, known),
    )
  }

  /**
   * Call this with each event just before it is sent. Objects in it are replaced by those that they were in the
   * recording, provided that these have the same content.
   */
  sending({ seq, event: recorded, same = [], types = [] }: Stimulus, sent: unknown): void {
    const event = sentEvent(sent)
    this.#parts.classes.restore(event, types, sentEvent(recorded))
    const places = this.#places.get(seq)
    if (places) this.#collect(seq, places, place => place.actor !== undefined, event)
    for (const { at, back = 0, actor, path } of same) {
      if (back === 0 && actor === undefined) {
        this.#replace(event, at, partAt(event, path))
        continue
      }
      const object = this.#at(seq - back, actor, path)
      // A replay from a keyframe lacks objects that were not in the state anymore.
      if (!isObject(object)) this.#adopt(event, at, seq - back, actor, path)
      else if (this.#isEqual(object, partAt(sentEvent(recorded), at))) this.#replace(event, at, object)
    }
    if (places) this.#collect(seq, places, place => place.actor === undefined, event)
  }

  #at(seq: number, actor: number | undefined, path: string): unknown {
    return partOf(path, above => this.#found.get(`${seq} ${keyOf(actor, above)}`))
  }

  /** Uses an object of this event from now on, with the parts of it that are known. */
  #adopt(event: unknown, at: string, seq: number, actor: number | undefined, path: string): void {
    const key = `${seq} ${keyOf(actor, path)}`
    const { same = [], types = [] } = (actor === undefined && this.#stimuli[seq]) || {}
    const inside = <T extends { readonly at: string }>(list: readonly T[]) =>
      list
        .filter(one => one.at === path || one.at.startsWith(`${path}/`))
        .map(one => ({ ...one, at: at + one.at.slice(path.length) }))
    this.#parts.classes.restore(event, inside(types), undefined)
    for (const { at: place, back = 0, actor: of, path: there } of inside(same))
      this.#replace(event, place, this.#at(seq - back, of, there))
    for (const [known, part] of this.#found)
      if (known.startsWith(`${key}/`)) this.#replace(event, at + known.slice(key.length), part)
    const object = partAt(event, at)
    if (isObject(object)) this.#found.set(key, object)
  }

  #collect(
    seq: number,
    places: ReadonlyMap<string, Place>,
    isNow: (place: Place) => boolean,
    event: unknown,
  ): void {
    for (const [key, place] of places) {
      if (!isNow(place)) continue
      const object =
        place.actor === undefined ? partAt(event, place.path) : this.#inState(place.actor, place.path)
      if (isObject(object)) this.#found.set(`${seq} ${key}`, object)
    }
  }

  #inState(actor: number, path: string): unknown {
    const ref = this.#parts.find(actor)
    if (!ref) return undefined
    const snapshot = ref.getSnapshot() as Snapshot<unknown>
    const { options } = ref as { readonly options?: { readonly input?: unknown } }
    return partAt(snapshot, path) ?? partAt({ input: options?.input }, path)
  }

  /** An effect may have changed the recorded object in place. */
  #isEqual(object: unknown, recorded: unknown): boolean {
    if (!isObject(object)) return false
    if (isAlike(object, recorded, this.#parts.pathOf)) return true
    return textOf(this.#parts.plain(object)) === textOf(recorded)
  }

  #replace(value: unknown, at: string, object: unknown): void {
    if (isObject(object)) replacePart(value, at, object)
  }
}

/** Path of an actor's snapshot in a keyframe. Actors may share an object, but a restored tree has one for each. */
const CHILD_SNAPSHOT = /^(?:\/children\/[^/]+\/snapshot)+$/

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const keyOf = (actor: number | undefined, path: string): string => `${actor ?? ''} ${path}`

const textOf = (value: unknown): string => JSON.stringify(encodeValue(value))

/** Finds a part by the closest object above it that is known. */
function partOf(path: string, known: (above: string) => unknown): unknown {
  for (let end = path.length; end >= 0; end = path.lastIndexOf('/', end - 1)) {
    const object = known(path.slice(0, end))
    if (object !== undefined) return partAt(object, path.slice(end))
    if (end === 0) return undefined
  }
  return undefined
}
