// The codec: every value in a machine survives as JSON, and encoding is stable.
import { createRedactor, decodeValue, type Json, ActorReference, Opaque } from '../../../src/trace/index.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeValue } from '../../../src/trace/codec/codec.ts'
import { canonical } from '../../../src/trace/codec/hash.ts'
import { anyText } from '../../harness/any-text.ts'
import { assertProperty } from '../../harness/volume.ts'

const roundTrip = (value: unknown) => decodeValue(JSON.parse(JSON.stringify(encodeValue(value))) as Json)

const anyValue = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(undefined, null, true, Number.NaN, Infinity, -Infinity, -0, 0),
    fc.double(),
    fc.bigInt(),
    anyText(),
    fc.date({ noInvalidDate: false }),
    fc.uint8Array(),
    fc.float64Array(),
    fc.array(tie('value')),
    fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('$', '__proto__', 'constructor', 'toJSON')),
      tie('value'),
    ),
    fc.array(fc.tuple(tie('value'), tie('value'))).map(pairs => new Map(pairs)),
    fc.array(tie('value')).map(items => new Set(items)),
  ),
})).value

describe('any value', () => {
  test('is decoded unchanged', () => {
    assertProperty(
      fc.property(anyValue, value => {
        expect(roundTrip(value)).toEqual(value)
      }),
      { numRuns: 500 },
    )
  })

  test('encodes to the same JSON again', () => {
    const stable = (value: unknown) => {
      expect(encodeValue(roundTrip(value))).toEqual(encodeValue(value))
    }
    assertProperty(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true, withSet: true, withDate: true, withTypedArray: true }),
        stable,
      ),
      { numRuns: 500 },
    )
  })
})

class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status = 401
}

test('errors keep name, message, cause and custom fields, but no stack', () => {
  const error = new RefusedError('no', { cause: new TypeError('why') })
  const back = roundTrip(error) as RefusedError
  expect(encodeValue(error)).toEqual({
    $: 'error',
    name: 'RefusedError',
    message: 'no',
    cause: { $: 'error', name: 'TypeError', message: 'why' },
    value: { status: 401 },
  })
  expect(back).toBeInstanceOf(Error)
  expect([back.name, back.message, back.status, back.stack]).toEqual([
    'RefusedError',
    'no',
    401,
    'RefusedError: no',
  ])
  expect(back.cause).toBeInstanceOf(TypeError)
})

test('a platform abort and an aggregate are restored by name', () => {
  const abort = roundTrip(new DOMException('gone', 'AbortError')) as Error
  expect([abort.name, abort.message]).toEqual(['AbortError', 'gone'])
  const many = roundTrip(new AggregateError([new Error('a')], 'all')) as AggregateError
  expect([many.name, many.errors]).toEqual(['AggregateError', [new Error('a')]])
})

test('values without a plain form are named', () => {
  const cyclic: Record<string, unknown> = { name: 'loop' }
  cyclic['self'] = cyclic
  const shared = { a: 1 }
  expect(roundTrip({ run: function go() {}, mark: Symbol('m'), cyclic, twice: [shared, shared] })).toEqual({
    run: new Opaque('function', 'go'),
    mark: new Opaque('symbol', 'm'),
    cyclic: { name: 'loop', self: new Opaque('cycle') },
    twice: [{ a: 1 }, { a: 1 }],
  })
  let deep: unknown = 'end'
  for (let left = 5000; left > 0; left--) deep = [deep]
  expect(JSON.stringify(encodeValue(deep))).toContain('{"$":"deep","name":""}')
})

test('references to actors keep their path; other objects their own fields', () => {
  expect(roundTrip(new ActorReference('client/refresh'))).toEqual(new ActorReference('client/refresh'))
  class Point {
    readonly x = 1
  }
  expect(roundTrip([new Point(), new URL('http://h.test/p'), new ArrayBuffer(2)])).toEqual([
    { x: 1 },
    new URL('http://h.test/p'),
    new ArrayBuffer(2),
  ])
})

test('objects of the platform keep their class and content', () => {
  const values = [
    new URL('https://h.test/p?q=1#f'),
    /^a\/b+$/giu,
    new URLSearchParams('a=1&a=2&b=%20'),
    new Headers({ accept: 'text/plain', 'content-type': 'application/json' }),
    new AggregateError([new RangeError('inner')], 'both'),
    Buffer.from('bytes'),
  ]
  const read = roundTrip(values) as typeof values
  expect(read.map(value => value.constructor.name)).toEqual(values.map(value => value.constructor.name))
  expect(read).toEqual(values)
  expect((read[4] as AggregateError).errors).toEqual([new RangeError('inner')])
  for (const damaged of [
    { $: 'url', value: 'no url' },
    { $: 'regexp', value: 'no pattern' },
    { $: 'regexp', value: '/(/' },
    { $: 'params', value: [['a']] },
    { $: 'headers', value: [['a b', 'c']] },
    { $: 'headers' },
  ])
    expect(() => decodeValue(damaged as Json)).toThrow('has a damaged value of the kind')
})

test('secrets in objects of the platform are hidden', () => {
  const secret = 'correct horse battery staple 7f3a9c'
  const { value } = createRedactor()
  const plain = [
    new URL('https://h.test/p'),
    /x/,
    new URLSearchParams('page=2'),
    new Headers({ accept: '*/*' }),
  ]
  for (const one of plain) expect(value(one)).toBe(one)
  const hidden = value([
    new URLSearchParams({ password: secret, page: '2' }),
    new Headers({
      authorization: `Bearer ${secret}`,
      'x-shop-token': 'unknown-7f3a9c',
      'x-theme': 'dark',
      accept: '*/*',
    }),
    new URL(`https://h.test/?access_token=${encodeURIComponent(secret)}`),
  ])
  const text = JSON.stringify(encodeValue(hidden))
  expect(text).not.toMatch(/horse|unknown-7f3a9c/)
  expect(text).toMatch(/"page","2"/)
  expect(text).toMatch(/"accept","\*\/\*"/)
  expect(text).toMatch(/"x-theme","dark"/)
  expect(JSON.stringify(encodeValue(value(hidden)))).toBe(text)
})

test('decoding pollutes no prototype, and rejects unknown content', () => {
  const value = decodeValue(
    JSON.parse('{"__proto__":{"polluted":true},"a":{"constructor":1}}') as Json,
  ) as object
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect('polluted' in {}).toBe(false)
  expect('polluted' in value).toBe(false)
  expect(() => decodeValue({ $: 'spell' })).toThrow('unknown kind of value "spell"')
})

test('values nested to the storage limit are decoded', () => {
  let lean: unknown = 'end'
  for (let left = 5000; left > 0; left--) lean = new Map([['in', lean]])
  expect(encodeValue(roundTrip(lean))).toEqual(encodeValue(lean))
})

test('canonical text does not depend on the order of keys', () => {
  expect(canonical({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}')
})
