// Large values in which the same object occurs many times are written once per object.
import { assign, createMachine } from 'xstate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffValues, readTrace, decodeValue, encodeValue, type Json } from '../../src/trace/index.ts'
import { record } from '../../src/public/devtools/recording.ts'
import { verify, vitestTest } from '../../src/public/devtools/replay.ts'
import { withParts } from '../../src/trace/codec/shared-parts.ts'
import { assertProperty } from '../harness/volume.ts'

const textOf = (value: unknown) => JSON.stringify(encodeValue(value))
const again = (text: string) => textOf(decodeValue(JSON.parse(text)))

/** Each level holds the one below twice. */
const doubled = (depth: number, leaf: unknown) => {
  let value = leaf
  for (let level = 0; level < depth; level += 1) value = { left: value, right: value }
  return value
}

/** Objects that all know each other. */
const acquainted = (count: number) => {
  const all = Array.from({ length: count }, (_, id) => ({ id, name: `object ${id}`, knows: [] as unknown[] }))
  for (const one of all) one.knows = all.filter(other => other !== one)
  return { all }
}

/** An element of a page, as React leaves it: fibers know parents, siblings, children and their former selves. */
const listOfElements = (rows: number) => {
  const node = (type: string, parent?: object) => ({
    type,
    parent,
    children: [] as object[],
    props: { className: `a class of ${type}`, onClick: () => undefined } as Record<string, unknown>,
    alternate: undefined as object | undefined,
    sibling: undefined as object | undefined,
  })
  const list = node('ul')
  let before: ReturnType<typeof node> | undefined
  for (let row = 0; row < rows; row += 1) {
    const item = node('li', list)
    item.children.push(node('button', item), node('span', item))
    item.props['children'] = item.children
    item.alternate = { ...item }
    if (before) before.sibling = item
    before = item
    list.children.push(item)
  }
  return list
}

test.each([
  ['a graph of 41 objects, 2^40 when written in full', doubled(40, { leaf: 'the same' }), 10_000],
  ['one that is deeper than values may be', doubled(5_000, []), 30_000],
  ['20 objects that know each other', acquainted(20), 20_000],
  ['an element of a page with 100 rows', { ref: listOfElements(100) }, 600_000],
  ['maps and sets', new Map([[doubled(30, 'k'), new Set([doubled(30, 'v')])]]), 20_000],
  ['errors', Object.assign(new Error('x', { cause: doubled(30, 1) }), { more: doubled(30, 2) }), 20_000],
  ['an object with a key "$"', { in: doubled(30, { $: 'part', at: 0 }) }, 20_000],
])('%s is written in few characters, and reads as the same', (_what, value, most) => {
  const text = textOf(value)
  expect(text.length).toBeLessThan(most)
  expect(again(text)).toBe(text)
})

test('what is shared is one object again', () => {
  const read = decodeValue(JSON.parse(textOf(doubled(40, { leaf: 1 })))) as { left: unknown; right: unknown }
  expect(read.left).toEqual(expect.anything())
  expect((read.left as { left: unknown }).left).toBe((read.left as { right: unknown }).right)
  expect(diffValues(read, decodeValue(JSON.parse(textOf(doubled(40, { leaf: 1 })))))).toMatchObject({
    updated: {},
  })
})

test('equal values have the same text, whether their objects are shared or not', () => {
  const row = (n: number) => ({ n, text: 'x'.repeat(60), tags: ['a', 'b', { c: n % 7 }] })
  const shared = Array.from({ length: 7 }, (_, n) => row(n))
  const [one, other] = [0, 1].map(which => ({
    rows: Array.from({ length: 120_000 }, (_, n) => (which === 0 ? shared[n % 7] : row(n % 7))),
  }))
  expect(textOf(one)).toBe(textOf(other))
  expect(textOf(one)).toContain('"$":"shared"')
})

test('JSON of any kind keeps its value', () => {
  const twice = (json: Json): Json => [json, json, { a: json }]
  assertProperty(
    fc.property(fc.jsonValue({ maxDepth: 4 }), value => {
      // Long enough to be written in parts.
      const json = { value: twice(twice(encodeValue(value))), filler: 'y'.repeat(2 ** 23) } as Json
      const written = withParts(json)
      expect(decodeValue(written)).toEqual(decodeValue(json))
    }),
    { numRuns: 20 },
  )
})

describe('a file', () => {
  test.each([
    ['a part that does not exist', { $: 'shared', parts: [], value: { $: 'part', at: 0 } }],
    ['a part that contains itself', { $: 'shared', parts: [{ $: 'part', at: 0 }], value: 1 }],
    ['a later part', { $: 'shared', parts: [[{ $: 'part', at: 1 }], []], value: 1 }],
    ['a part outside of a shared value', { $: 'part', at: 0 }],
    ['no value', { $: 'shared', parts: [] }],
    ['no list of parts', { $: 'shared', parts: 1, value: 1 }],
    [
      'parts that nest without end',
      {
        $: 'shared',
        parts: Array.from({ length: 5_000 }, (_, at) => (at === 0 ? [] : [{ $: 'part', at: at - 1 }])),
        value: { $: 'part', at: 4_999 },
      },
    ],
  ])('with %s is refused', (_what, json) => {
    expect(() => decodeValue(json as Json)).toThrow(TypeError)
  })
})

describe('a recording', () => {
  const keeper = createMachine({
    id: 'keeper',
    context: { kept: [] as unknown[] },
    on: { keep: { actions: assign({ kept: ({ context, event }) => [...context.kept, event.value] }) } },
  })

  test.each([
    ['a graph', () => doubled(40, { leaf: 1 })],
    ['an element of a page', () => listOfElements(100)],
    ['objects that know each other', () => acquainted(16)],
  ])('of %s replays exactly, in memory and from its file', async (_what, make) => {
    for (const steps of [true, false]) {
      const recording = record(keeper, { steps })
      recording.start()
      recording.actor.send({ type: 'keep', value: make() })
      recording.actor.send({ type: 'keep', value: 'next' })
      const text = recording.lines().join('\n')
      expect(text.length).toBeLessThan(2_000_000)
      const read = await readTrace(text)
      if (read.kind !== 'trace') throw new Error('the recording cannot be read')
      for (const trace of [recording.trace, read.trace])
        expect(verify(trace, { keeper })).toMatchObject({ outcome: 'exact' })
    }
  })
})

test('no test is generated of a value that is too long to read', () => {
  const recording = record(createMachine({ id: 'quiet', on: { go: {} } }))
  recording.start()
  recording.actor.send({ type: 'go', value: doubled(40, 1) })
  const write = () => vitestTest(recording.trace, { system: { name: 'quiet', import: './quiet.ts' } })
  expect(write).toThrow(/more than 10,000 parts/)
})
