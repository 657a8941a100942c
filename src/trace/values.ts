// Stand-ins for values that cannot leave the running system: references to actors, functions and the like.

/** A reference to an actor of the recorded system, by its path. */
export class ActorReference {
  readonly path: string
  constructor(path: string) {
    this.path = path
  }
}

/** Something that has no plain form: a function or symbol (by name), a cycle, or nesting beyond the bound. */
export class Opaque {
  readonly kind: 'function' | 'symbol' | 'cycle' | 'deep'
  readonly name: string
  constructor(kind: Opaque['kind'], name = '') {
    this.kind = kind
    this.name = name
  }
}

/** Deepest nesting that is stored; what lies below is cut off. */
export const MAX_DEPTH = 200

/** Sets a key as an own property even when it is called `__proto__`. */
export function setOwn<T>(target: { [key: string]: T }, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    target[key] = value
  }
}

/** Whether this is an object without a class. */
export function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype
}

/** What every error has, and is kept by itself. */
export const ERROR_FIELDS: ReadonlySet<string> = new Set(['name', 'message', 'stack', 'cause'])

/** Own enumerable properties of an error that are not part of every error. */
export function errorExtras(error: Error): [string, unknown][] {
  return Object.entries(error).filter(([key]) => !ERROR_FIELDS.has(key))
}

const NATIVE_ERRORS: Readonly<Record<string, ErrorConstructor>> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
}

/** An error of the given name, without a stack of its own. */
export function makeError(name: string, message: string, cause?: { readonly value: unknown }): Error {
  const Constructor = Object.hasOwn(NATIVE_ERRORS, name) ? NATIVE_ERRORS[name] : undefined
  const error = withoutStack(() => new (Constructor ?? Error)(message))
  if (error.name !== name) {
    Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  }
  if (cause) Object.defineProperty(error, 'cause', { value: cause.value, configurable: true, writable: true })
  error.stack = `${name}: ${message}`
  return error
}

/** To capture a stack takes longer than all the rest, where the engine can be told not to. */
function withoutStack<T>(make: () => T): T {
  const { stackTraceLimit } = Error
  if (typeof stackTraceLimit !== 'number') return make()
  Reflect.set(Error, 'stackTraceLimit', 0)
  try {
    return make()
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
  }
}
