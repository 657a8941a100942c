// Classes of the app, so that their instances in a recording are instances again in a replay.
import {
  functionName,
  isPlain,
  ownField,
  partFinder,
  replacePart,
  type TypedObject,
  webText,
} from '../../trace/index.ts'

/** Any class. */
export type AppClass = abstract new (...args: never[]) => object

/** How the instances of a class are written and read; by default by their own fields. */
export interface ClassCodec {
  /** Name in recordings. Defaults to the name of the class. */
  readonly name?: string
  readonly class: AppClass
  /** Returns a value without instances of this class, such as a plain object. */
  readonly encode?: (instance: never) => unknown
  /** Creates the instance from what `encode` returned, or from its fields. */
  readonly decode?: (value: never) => object
}

/** Classes and codecs, also as the exports of a module: those in exported objects are found too. */
export type Codec = readonly (AppClass | ClassCodec)[] | Readonly<Record<string, unknown>>

interface KnownClass {
  readonly name: string
  readonly prototype: object
  readonly encode: ((instance: object) => unknown) | undefined
  readonly decode: ((value: unknown) => unknown) | undefined
}

/** Objects nested more deeply in exports are not searched for classes. */
const MOST_LEVELS = 4

/** The classes of one app. */
export class AppClasses {
  readonly #byName = new Map<string, KnownClass>()
  readonly #byPrototype = new Map<object, KnownClass>()

  constructor(...codecs: readonly (Codec | undefined)[]) {
    const seen = new Set<object>()
    if (typeof DOMException === 'function') this.#add(DOMException, { decode: domException })
    for (const codec of codecs) if (codec) this.#collect(codec, seen, 0)
  }

  /** Returns the name of an object's class; undefined if it has none, or one that every recording preserves. */
  nameOf(object: object): string | undefined {
    const prototype: unknown = Object.getPrototypeOf(object)
    if (prototype === Object.prototype || prototype === Array.prototype || !isObject(prototype))
      return undefined
    const known = this.#byPrototype.get(prototype)
    if (known) return known.name
    const type = ownField(prototype, 'constructor')
    if (typeof type !== 'function') return undefined
    const name = functionName(type)
    return name === '' || (ownField(globalThis, name) === type && isPreserved(object)) ? undefined : name
  }

  /** Returns how an object is written; undefined for itself. */
  encode(object: object): unknown {
    if (isPlain(object) || Array.isArray(object)) return undefined
    const known = this.#of(object)
    return known?.encode?.(object)
  }

  /** Whether a codec writes an object, so that its fields have no places in it. */
  isEncoded(object: object): boolean {
    return !isPlain(object) && !Array.isArray(object) && this.#of(object)?.encode !== undefined
  }

  /** The instances whose class is not known. `value` may contain live instances. */
  missing(value: unknown, types: readonly TypedObject[]): TypedObject[] {
    const find = partFinder(value)
    return types.filter(({ at, name }) => {
      const live = find(at)
      if (this.#byName.has(name)) return false
      return isPlatformClass(name) || !(isObject(live) && this.nameOf(live) === name)
    })
  }

  /**
   * Makes the objects at these places instances again, in place. `recorded` may contain live instances, whose
   * classes need not be known.
   */
  restore(value: unknown, types: readonly TypedObject[], recorded: unknown): void {
    let find = partFinder(value)
    const findLive = partFinder(recorded)
    // Inner instances come first.
    for (const { at, name } of types.toReversed()) {
      const object = find(at)
      if (!isObject(object)) continue
      const live = findLive(at)
      const known = this.#byName.get(name) ?? (isObject(live) && !isPlain(live) ? this.#of(live) : undefined)
      const { decode, prototype } = known ?? {}
      if (decode) {
        const instance = decode(object)
        if (!isObject(instance)) continue
        replacePart(value, at, instance)
        find = partFinder(value)
      } else if (prototype) {
        Object.setPrototypeOf(object, prototype)
      } else if (isObject(live) && this.nameOf(live) === name && !isPlatformClass(name)) {
        Object.setPrototypeOf(object, Object.getPrototypeOf(live) as object)
      }
    }
  }

  /** A class with `toJSON` and a static `fromJSON` is its own codec. */
  #of(object: object): KnownClass | undefined {
    const prototype: unknown = Object.getPrototypeOf(object)
    if (!isObject(prototype)) return undefined
    const known = this.#byPrototype.get(prototype)
    if (known) return known
    const type = ownField(prototype, 'constructor')
    return typeof type === 'function' && isReviver(type)
      ? knownClass(type as unknown as AppClass, {})
      : undefined
  }

  #collect(given: object, seen: Set<object>, level: number): void {
    if (level > MOST_LEVELS || seen.has(given)) return
    seen.add(given)
    if (isClass(given)) return this.#add(given, {})
    if (isCodec(given)) return this.#add(given.class, given)
    // A module namespace has no prototype.
    const isContainer = isPlain(given) || Array.isArray(given) || Object.getPrototypeOf(given) === null
    if (!isContainer || '_nodes' in given) return
    for (const key of Object.keys(given)) {
      const item: unknown = level === 0 ? (given as Record<string, unknown>)[key] : ownField(given, key)
      if (typeof item === 'function' || isObject(item)) this.#collect(item, seen, level + 1)
    }
  }

  #add(type: AppClass, codec: Omit<ClassCodec, 'class'>): void {
    const known = knownClass(type, codec)
    const isOwn = known.encode !== undefined || known.decode !== undefined
    if (known.name === '' || (ownField(globalThis, known.name) === type && !isOwn)) return
    const before = this.#byName.get(known.name)
    // The app's codec replaces that of a class of the platform.
    if (!before || before.decode === domException) this.#byName.set(known.name, known)
    const same = this.#byPrototype.get(known.prototype)
    if (!same || same.decode === domException) this.#byPrototype.set(known.prototype, known)
  }
}

/** Whether this is the name of a class of the platform, whose instances cannot be made of fields. */
export const isPlatformClass = (name: string): boolean => typeof ownField(globalThis, name) === 'function'

/** A recording contains one as an error. */
const domException = (error: { readonly name: string; readonly message: string }): DOMException =>
  new DOMException(error.message, error.name)

/** Whether a recording preserves an object of a class of the platform. */
function isPreserved(object: object): boolean {
  if (object instanceof Error) return typeof DOMException !== 'function' || !(object instanceof DOMException)
  return (
    object instanceof Date ||
    object instanceof Map ||
    object instanceof Set ||
    object instanceof ArrayBuffer ||
    ArrayBuffer.isView(object) ||
    webText(object) !== undefined
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isClass = (value: unknown): value is AppClass =>
  typeof value === 'function' && isObject(ownField(value, 'prototype'))

const isCodec = (value: object): value is ClassCodec => isClass(ownField(value, 'class'))

function isReviver(type: object): type is { fromJSON: (json: unknown) => unknown } {
  const { prototype } = type as { readonly prototype?: { readonly toJSON?: unknown } }
  return typeof Reflect.get(type, 'fromJSON') === 'function' && typeof prototype?.toJSON === 'function'
}

function knownClass(type: AppClass, { name, encode, decode }: Omit<ClassCodec, 'class'>): KnownClass {
  const hasOwn = encode !== undefined || decode !== undefined
  const own: Pick<KnownClass, 'encode' | 'decode'> = hasOwn
    ? ({ encode, decode } as Pick<KnownClass, 'encode' | 'decode'>)
    : isReviver(type)
      ? {
          encode: instance => (instance as { toJSON: () => unknown }).toJSON(),
          decode: json => type.fromJSON(json),
        }
      : { encode: undefined, decode: undefined }
  return { name: name ?? functionName(type), prototype: type.prototype as object, ...own }
}

const given = new WeakMap<object, AppClasses>()

/** Makes the classes known for every replay of this logic. Returns the logic. */
export function withCodec<T extends object>(system: T, codec: Codec | undefined): T {
  if (codec) given.set(system, new AppClasses(codec))
  return system
}

/** The classes known for replays of this logic. */
export function classesOf(system: object): AppClasses {
  return given.get(system) ?? new AppClasses()
}
