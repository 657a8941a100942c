// Values of every kind that an app may send, hold, return or throw, generated from a seed: the same ones
// every time.
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'

/** Picks items and numbers. */
export interface Dice {
  /** An integer below `end`. */
  below(end: number): number
  pick<T>(items: readonly T[]): T
}

/** Dice with the same results for the same seed. */
export function createDice(seed: number): Dice {
  const { random } = createSeededEntropy(seed)
  const below = (end: number) => Math.floor(random() * end)
  return {
    below,
    pick: items => {
      const item = items[below(items.length)]
      if (item === undefined && items.length === 0) throw new TypeError('nothing to pick from')
      return item as (typeof items)[number]
    },
  }
}

class Point {
  readonly x = 1
  readonly #secret = 2
  get sum() {
    return this.x + this.#secret
  }
}

class BrokenMap extends Map<unknown, unknown> {
  override [Symbol.iterator](): never {
    throw new Error('no iteration')
  }
}

class LoudError extends Error {
  override readonly name = 'LoudError'
  get extra(): never {
    throw new Error('no extra')
  }
}

const Named = Object.defineProperty(() => undefined, 'name', { value: { not: 'text' } })

function fail(): never {
  throw new RangeError('not readable')
}

const throwing = (...traps: readonly string[]) =>
  new Proxy({ a: 1 }, Object.fromEntries(traps.map(trap => [trap, fail])))

function revoked(target: object = {}): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

function detached(): Uint8Array {
  const bytes = new Uint8Array(8)
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
  return bytes
}

/** Only some are nested more deeply than traces store: these take long. */
function nested(dice: Dice, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'bottom'
  for (let left = dice.below(20) === 0 ? 210 : 5; left > 0; left--) value = wrap(value)
  return value
}

type Inner = () => unknown

/** Values that cannot be read in some way, or have no plain form; `inner` creates another value. */
const ODD: readonly ((inner: Inner, dice: Dice) => unknown)[] = [
  inner => ({
    fine: inner(),
    get bad(): never {
      return fail()
    },
  }),
  () => Object.defineProperty({ type: 'odd' }, 'hidden', { get: fail }),
  () => revoked(),
  () => revoked([]),
  () => revoked(() => undefined),
  () => throwing('get'),
  () => throwing('ownKeys'),
  () => throwing('getPrototypeOf'),
  () => throwing('has', 'get', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf'),
  () => Named,
  () => Object.defineProperty(() => undefined, 'name', { get: fail }),
  () => Object.defineProperty(new Error('a'), 'message', { get: fail }),
  () => Object.assign(new Error('a'), { name: 5, message: { not: 'text' } }),
  () => Object.defineProperty(new Error('a'), 'cause', { get: fail, enumerable: true }),
  inner => new Error('with a cause', { cause: inner() }),
  inner => new AggregateError([inner(), inner()], 'many'),
  () => new LoudError('loud'),
  () => Object.create(Error.prototype) as unknown,
  () => Object.create(Date.prototype) as unknown,
  () => Object.create(Map.prototype) as unknown,
  () => Object.create(Uint8Array.prototype) as unknown,
  () => Object.assign(new Date(0), { toISOString: fail, getTime: fail }),
  inner => new BrokenMap([[inner(), inner()]]),
  inner => new Map([[inner(), inner()]]),
  inner => new Set([inner(), inner()]),
  () => detached(),
  () => detached().buffer,
  () => new Uint8Array(new SharedArrayBuffer(4)),
  () => new DataView(new ArrayBuffer(4)),
  () => Object.assign(new Float64Array(2), { constructor: undefined }),
  () => Object.assign([1], { length: 3 }),
  () => Object.assign([], { length: 2 ** 31 }),
  inner => Object.defineProperty([inner()], 1, { get: fail, enumerable: true }),
  inner => Object.assign([inner()], { more: 1 }),
  () => 10n ** 10_500n,
  () => -(10n ** 20n),
  () => 'lone \uD800 surrogate',
  () => ({ password: 'lone \uDC00 surrogate' }),
  () => '\u0000'.repeat(50),
  () => 'x'.repeat(2000),
  () => Symbol('named'),
  () => Symbol.iterator,
  inner => ({ [Symbol('key')]: inner() }),
  inner => ({ $: inner() }),
  inner => Object.defineProperty({}, '__proto__', { value: inner(), enumerable: true }),
  inner => Object.assign(Object.create(null) as object, { a: inner() }),
  inner => Object.freeze({ frozen: inner() }),
  () => new Point(),
  () => ({ toJSON: fail, toString: fail, valueOf: fail }),
  () => ({ [Symbol.toPrimitive]: fail }),
  () => {
    const round: Record<string, unknown> = {}
    round['self'] = round
    return round
  },
  (_, dice) => nested(dice, deep => [{ deep }]),
  (_, dice) => nested(dice, deep => new Map([['deep', deep]])),
  () => new URL('https://example.com/?token=abcdefgh'),
  () => /pattern/g,
  () => new WeakMap(),
  () => Promise.resolve(1),
  () => new Date(Number.NaN),
  () => new Proxy(() => undefined, { get: fail }),
  () => ({
    sessionId: 1,
    send: () => undefined,
    get ref(): never {
      return fail()
    },
  }),
  () => ({
    sessionId: 'x:1',
    get send(): never {
      return fail()
    },
  }),
  () => ({
    machine: 1,
    _nodes: 1,
    get status(): never {
      return fail()
    },
  }),
]

const PLAIN: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -0,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '',
  'text',
  7n,
]

/** A value of any kind. */
export function oddValue(dice: Dice, depth = 0): unknown {
  const inner = () => oddValue(dice, depth + 1)
  if (depth > 3 || dice.below(4) === 0) return dice.pick(PLAIN)
  if (dice.below(6) === 0) return dice.below(2) === 0 ? [inner(), inner()] : { a: inner(), b: inner() }
  return dice.pick(ODD)(inner, dice)
}
