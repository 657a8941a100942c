// Tags on foreign objects: as fast as a field, and invisible to other code.

/** Reads and writes the tags of one owner. */
export interface Tags<T extends object> {
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
  const others = new WeakMap<object, T>()
  return {
    find: object => (Tag.find(object, owner) as T | undefined) ?? others.get(object),
    tag(object, value) {
      if (!Tag.has(object)) void new Tag(object, owner, value)
      else if (!Tag.update(object, owner, value)) others.set(object, value)
    },
  }
}
