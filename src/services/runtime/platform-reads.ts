// What machine code reads from the platform directly: the time and random values. While a recorded system or a
// replay runs machine code, these functions read from its tape; otherwise they are the platform's.
import { ambientCall, isAmbientTaped, withEnvironment } from './ambient-env.ts'

type Fn = (...args: never[]) => unknown

/** The functions in place, so that they are never wrapped twice. */
const ours = new WeakSet<object>()
let random: unknown
let now: unknown
let date: unknown

/**
 * Puts the functions in place, once per page, worker or process; call it before machine code runs. Functions
 * that others have put in place since, such as fake timers, are wrapped in turn.
 * @param isNew for a new system: also checks the functions that monitoring tools replace, which takes longer
 */
export function tapePlatform(isNew = false): void {
  if (isNew) {
    for (const key of Object.keys(console)) keepOffTape(console, key)
    for (const key of INSTRUMENTED) keepOffTape(globalThis, key)
  }
  if (Math.random === random && performance.now === now && globalThis.Date === date) return
  wrap(Math, 'random', 'Math.random()')
  wrapDate()
  wrap(performance, 'now', 'performance.now()')
  wrapTimeOrigin()
  const { crypto } = globalThis as Partial<typeof globalThis>
  if (crypto) {
    wrap(crypto, 'randomUUID', 'crypto.randomUUID()')
    wrapRandomValues()
  }
  const { process } = globalThis as { process?: { hrtime?: { bigint?: unknown } } }
  if (process?.hrtime) {
    const { bigint } = process.hrtime
    wrap(process, 'hrtime', 'process.hrtime()')
    Object.assign(process.hrtime, { bigint })
    wrap(process.hrtime, 'bigint', 'process.hrtime.bigint()')
  }
  random = Math.random
  now = performance.now
  date = globalThis.Date
}

/**
 * Tapes a function of the app or of a library that machine code calls: while recording, its results are
 * taped; a replay returns them without calling it. For functions that were bound before the recorder was
 * loaded, such as `crypto.randomUUID.bind(crypto)`, and for constants that are random or depend on when a
 * module was loaded:
 *
 * ```ts
 * export const draftId = taped('draftId', () => DRAFT_ID)
 * ```
 *
 * Results must be data. Elsewhere, and in effects and custom actions, the function is called directly.
 *
 * @param name identifies the function in traces
 */
export function taped<A extends readonly unknown[], R>(
  name: string,
  fn: (...args: A) => R,
): (...args: A) => R {
  return (...args) => {
    if (!isAmbientTaped()) return fn(...args)
    const outcome = ambientCall<Outcome<R>>(`${name}()`, () => {
      try {
        return { returned: fn(...args) }
      } catch (error) {
        return { threw: error }
      }
    })
    if ('threw' in outcome) throw outcome.threw
    return outcome.returned
  }
}

/**
 * Functions that decide nothing, but that monitoring tools replace by ones that read the time and random ids, as they do
 * with all of `console`.
 */
const INSTRUMENTED = [
  'cancelAnimationFrame',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'fetch',
  'queueMicrotask',
  'requestAnimationFrame',
  'requestIdleCallback',
  'setImmediate',
  'setInterval',
  'setTimeout',
] as const

/**
 * Lets a function read the platform, and not the tape, if machine code calls it, also if it is replaced later. The
 * property is an accessor: other code gets the function itself, so that consoles show the line that called it.
 */
function keepOffTape(owner: object, key: string): void {
  const property = Object.getOwnPropertyDescriptor(owner, key)
  if (property?.configurable !== true || (property.get && ours.has(property.get))) return
  // Node defines functions that load on first use by accessors.
  const isAccessor = property.get !== undefined && property.set !== undefined
  if (!isAccessor && typeof property.value !== 'function') return
  const enumerable = property.enumerable === true
  const data = { configurable: true, enumerable, writable: true }
  let value: unknown = property.value
  let read: () => unknown = property.get?.bind(owner) ?? (() => value)
  const untaped = new WeakMap<object, object>()
  const get = () => {
    const current = read()
    if (typeof current !== 'function' || !isAmbientTaped()) return current
    let wrapper = untaped.get(current)
    if (!wrapper) untaped.set(current, (wrapper = off(current as Fn)))
    return wrapper
  }
  const set = (next: unknown) => {
    // Spies replace the getter and leave this function in place.
    if (Object.getOwnPropertyDescriptor(owner, key)?.get !== get)
      Object.defineProperty(owner, key, { ...data, value: next })
    else {
      value = next
      read = () => value
    }
  }
  ours.add(get)
  Object.defineProperty(owner, key, { configurable: true, enumerable, get, set })
}

/** The same function, with the real platform while it runs. */
const off = (real: Fn) =>
  new Proxy(real, {
    apply: (target, self, args): unknown =>
      withEnvironment(undefined, () => Reflect.apply(target, self, args) as unknown),
  })

/** The taped result of a function. */
type Outcome<R> = { readonly returned: R } | { readonly threw: unknown }

function wrap(owner: object, key: string, name: string): void {
  const real: unknown = Reflect.get(owner, key)
  if (typeof real !== 'function' || ours.has(real)) return
  const wrapped = (...args: never[]): unknown =>
    isAmbientTaped()
      ? ambientCall(name, () => Reflect.apply(real as Fn, owner, args) as unknown)
      : Reflect.apply(real as Fn, owner, args)
  for (const part of ['name', 'length'] as const)
    Object.defineProperty(wrapped, part, { value: (real as Fn)[part], configurable: true })
  put(owner, key, wrapped)
}

function put(owner: object, key: string, value: object): void {
  ours.add(value)
  Object.defineProperty(owner, key, { value, configurable: true, writable: true })
}

function wrapDate(): void {
  const Real = globalThis.Date
  wrap(Real, 'now', 'Date.now()')
  if (ours.has(Real)) return
  const Taped: DateConstructor = new Proxy(Real, {
    construct: (target, args, newTarget) =>
      Reflect.construct(
        target,
        args.length === 0 && isAmbientTaped() ? [target.now()] : args,
        newTarget === Taped ? target : newTarget,
      ) as object,
    apply: target => (isAmbientTaped() ? new target(target.now()).toString() : target()),
  })
  put(globalThis, 'Date', Taped)
  Object.defineProperty(Real.prototype, 'constructor', { value: Taped, configurable: true, writable: true })
}

function wrapTimeOrigin(): void {
  if (Object.hasOwn(performance, 'timeOrigin')) return
  const { timeOrigin } = performance
  if (timeOrigin === undefined) return
  const get = () => ambientCall('performance.timeOrigin', () => timeOrigin)
  Object.defineProperty(performance, 'timeOrigin', { get, configurable: true, enumerable: true })
}

/** The tape has the bytes; the caller's array is filled with them. */
function wrapRandomValues(): void {
  const real = crypto.getRandomValues as unknown as Fn
  if (typeof real !== 'function' || ours.has(real)) return
  const fill = (array: never) => Reflect.apply(real, crypto, [array]) as unknown
  put(crypto, 'getRandomValues', function getRandomValues(array: never): unknown {
    // It fails for some arrays, in a replay as well.
    fill(array)
    if (!isAmbientTaped()) return array
    const { buffer, byteOffset, byteLength } = array as ArrayBufferView
    const bytes = new Uint8Array(buffer, byteOffset, byteLength)
    const read = ambientCall<unknown>('crypto.getRandomValues()', () => bytes.slice())
    if (read instanceof Uint8Array) bytes.set(read.subarray(0, byteLength))
    return array
  })
}
