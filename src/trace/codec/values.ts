// Placeholders for values that cannot leave the running system: references to actors, functions and the like.

/** A reference to an actor of the recorded system, by its path. */
export class ActorReference {
  readonly path: string
  constructor(path: string) {
    this.path = path
  }
}

/**
 * A value without a plain form: a function or symbol (by name), a cycle, nesting beyond the limit, or a value
 * that could not be written (`name` is then the reason).
 */
export class Opaque {
  readonly kind: 'function' | 'symbol' | 'cycle' | 'deep' | 'unwritable'
  readonly name: string
  constructor(kind: Opaque['kind'], name = '') {
    this.kind = kind
    this.name = name
  }
}

/** Maximum length of a marker's reason. */
const MAX_REASON = 200

/**
 * Creates the marker for a value that threw this error when read; `text` redacts secrets in the error
 * message.
 */
export function unwritable(error: unknown, text: (raw: string) => string = withoutWords): Opaque {
  let reason = 'reading it threw'
  try {
    if (error instanceof Error) reason = `reading it threw ${text(`${error.name}: ${error.message}`)}`
  } catch {
    // The error itself cannot be read either.
  }
  return new Opaque('unwritable', reason.slice(0, MAX_REASON))
}

/** A message may contain a secret. */
function withoutWords(): string {
  return 'an error'
}

/** Reads a property; returns a marker if the getter throws. */
export function readField(object: object, key: string, text?: (raw: string) => string): unknown {
  try {
    return Reflect.get(object, key)
  } catch (error) {
    return unwritable(error, text)
  }
}

/** Maximum nesting that is stored; deeper values are cut off. */
export const MAX_DEPTH = 200

/** Longer bigints take long to read and do not occur in practice. */
export const MAX_BIGINT_DIGITS = 10_000

/** Sets a key as an own property, even `__proto__`. */
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

/** Whether this is an array; unlike `Array.isArray` it does not throw for a revoked proxy. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/** Returns what a lookup finds in an object of an app; undefined if a proxy or getter throws. */
export function lookup<T>(find: () => T): T | undefined {
  try {
    return find()
  } catch {
    return undefined
  }
}

/** The fields of every error, which are stored separately. */
export const ERROR_FIELDS: ReadonlySet<string> = new Set(['name', 'message', 'stack', 'cause'])

/** An error's additional fields: own enumerable properties, and the errors of an `AggregateError`. */
export function errorExtras(error: Error): [string, unknown][] {
  const keys = Object.keys(error).filter(key => !ERROR_FIELDS.has(key))
  if (error instanceof AggregateError && !keys.includes('errors')) keys.push('errors')
  return keys.map(key => [key, readField(error, key)])
}

/** An error's name or message; an app may have stored something other than a string there. */
export function errorText(error: Error, key: 'name' | 'message' | 'stack'): string {
  const text = readField(error, key)
  return typeof text === 'string' ? text : ''
}

/** The message of a thrown value of any type. Never throws. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? errorText(error, 'message') : String(error)
  } catch {
    return 'unknown error'
  }
}

/** The name of a function, which may be of any type. */
export function functionName(value: object): string {
  const name = readField(value, 'name')
  return typeof name === 'string' ? name : ''
}

const NATIVE_ERRORS: Readonly<Record<string, ErrorConstructor>> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
}

/** Creates an error with the given name, without its own stack. */
export function makeError(name: string, message: string, cause?: { readonly value: unknown }): Error {
  const Constructor = Object.hasOwn(NATIVE_ERRORS, name) ? NATIVE_ERRORS[name] : undefined
  const error = withoutStack(() =>
    name === 'AggregateError' ? new AggregateError([], message) : new (Constructor ?? Error)(message),
  )
  if (error.name !== name) {
    Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  }
  if (cause) Object.defineProperty(error, 'cause', { value: cause.value, configurable: true, writable: true })
  error.stack = `${name}: ${message}`
  return error
}

/** Disables stack capture where the engine allows it, since it takes longer than everything else. */
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
