// Whether replayed values equal the recorded ones: never true where the plain forms differ.
import { expect, test } from 'vitest'
import { isAlike } from '../../../src/services/replay/run/alike.ts'
import { copy } from '../../../src/services/replay/run/restoring.ts'
import { encodeValue, decodeValue, ActorReference, Opaque } from '../../../src/trace/index.ts'

const actor = { actor: true }
const pathOf = (object: object) => (object === actor ? 'client/refresh' : undefined)

class Vessel {
  readonly name = 'Ida'
}

const values: readonly unknown[] = [
  [undefined, null, true, 0, -0, Number.NaN, 1n, '', 'text'],
  [[], [1], [1, 2], [undefined], {}, { a: 1 }, { a: 1, b: 2 }, { b: 2, a: 1 }, { a: undefined }, { $: 1 }],
  [
    new Error('no'),
    new TypeError('no'),
    new Error('no', { cause: 1 }),
    new Error('no', { cause: undefined }),
  ],
  [Object.assign(new Error('no'), { code: 7 }), new AggregateError([1], 'no'), new AggregateError([2], 'no')],
  [new Map([[1, 2]]), new Map([[1, 3]]), new Set([1]), new Date(0), new Date(1), new Uint8Array([1])],
  [{ deep: [{ error: new Error('no') }] }, { deep: [{ error: new Error('yes') }] }],
  [new ActorReference('client'), new Opaque('function', 'f')],
].flat()

const text = (value: unknown) => JSON.stringify(encodeValue(value))

test('two values are alike exactly when their plain forms are the same', () => {
  const wrong = values.flatMap((live, at) =>
    values.flatMap((known, with_) => {
      const read = decodeValue(encodeValue(known))
      return isAlike(live, read, pathOf) && text(live) !== text(known) ? [[at, with_]] : []
    }),
  )
  expect(wrong).toEqual([])
})

test('common values are compared without their plain forms', () => {
  const value = {
    list: [1, { text: 'a', none: undefined }],
    error: new Error('no', { cause: { code: 7 } }),
    actor,
  }
  const known = decodeValue(encodeValue({ ...value, actor: new ActorReference('client/refresh') }))
  expect(isAlike(value, known, pathOf)).toBe(true)
  expect(isAlike(value, known, () => 'client/other')).toBe(false)
  expect(isAlike({ vessel: new Vessel() }, { vessel: { name: 'Ida' } }, pathOf)).toBe(false)
})

test('a copy equals what would be read from a file', () => {
  const all = { values, vessel: new Vessel(), f: () => undefined }
  const copied = copy(all)
  expect(text(copied)).toBe(text(decodeValue(encodeValue(all))))
  expect(copied.values).not.toBe(values)
  const nested: { more?: unknown } = {}
  let at = nested
  for (let depth = 0; depth < 300; depth++) at = at.more = {}
  expect(text(copy(nested))).toBe(text(decodeValue(encodeValue(nested))))
})
