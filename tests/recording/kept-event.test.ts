// Events that a recording keeps: they are returned as they were when they were sent.
import type { AnyEventObject } from 'xstate'
import { expect, test, vi } from 'vitest'
import { KeptEvents } from '../../src/services/recording/kept-event.ts'
import { batchOf, inBatches, presentIn } from '../../src/trace/index.ts'
import { createSegments, record } from '../../src/services/recording/index.ts'
import { createMachine, SimulatedClock } from 'xstate'

const mark = Symbol('mark')

/** One event of each kind, with fresh types so that tests do not affect each other. */
function events(prefix: string, n: number): AnyEventObject[] {
  const type = (name: string) => `${prefix}.${name}`
  return [
    { type: type('bare') },
    { type: type('fields'), text: `row ${n}`, count: n, half: n / 2, isOdd: n % 2 === 1, none: null },
    { first: n, type: type('type in the middle'), last: undefined },
    { type: type('odd numbers'), zero: -0, not: Number.NaN, big: BigInt(n), some: Symbol.iterator },
    n % 2 === 0 ? { type: type('optional') } : { type: type('optional'), more: n },
    n % 3 === 0 ? { a: 1, type: type('order'), b: 2 } : { b: 2, type: type('order'), a: 1 },
    { type: type('object'), list: [n], nested: { n } },
    n % 2 === 0
      ? { type: type('sometimes an object'), value: n }
      : { type: type('sometimes an object'), value: [n] },
    { type: type('symbol'), [mark]: n },
    JSON.parse(`{ "type": "${type('proto')}", "__proto__": ${n} }`) as AnyEventObject,
    {
      type: type('many'),
      ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field${at}`, at + n])),
    },
  ]
}

test('are equal, with the same order of keys, also across chunks and where reading keeps up', () => {
  const kept = new KeptEvents()
  const references: unknown[] = []
  const taken: (AnyEventObject | undefined)[] = []
  const sent = Array.from({ length: 3000 }, (_, n) => events('across chunks', n)).flat()
  for (const event of sent) {
    references.push(kept.put(event))
    if (references.length % 7 === 0 && sent.length > 2 * references.length)
      while (taken.length < references.length) taken.push(kept.take(references[taken.length]))
  }
  while (taken.length < references.length) taken.push(kept.take(references[taken.length]))
  expect(taken).toEqual(sent)
  const keysOf = (event: AnyEventObject | undefined) => Reflect.ownKeys(event ?? {})
  expect(taken.map(keysOf)).toEqual(sent.map(keysOf))
})

test('do not change when the app changes the object after sending it', () => {
  const kept = new KeptEvents()
  const event: AnyEventObject = { type: 'changed later', n: 0 }
  const references = [1, 2, 3].map(n => kept.put(Object.assign(event, { n })))
  event['n'] = 4
  expect(references.map(reference => kept.take(reference))).toEqual(
    [1, 2, 3].map(n => ({ type: 'changed later', n })),
  )
})

test('of classes, and values that are no events, are kept as they are', () => {
  class Custom {
    readonly type = 'custom'
  }
  const kept = new KeptEvents()
  const values = [new Custom(), 'text', undefined, null, 5].map(value => value as AnyEventObject)
  const references = values.map(value => kept.put(value))
  for (const [at, reference] of references.entries()) expect(kept.take(reference)).toBe(values[at])
})

test('getters do not run when an event of a new type is sent', () => {
  const kept = new KeptEvents()
  const run = vi.fn<() => number>(() => 1)
  const event = {
    type: 'with a getter',
    get n() {
      return run()
    },
  }
  expect(kept.take(kept.put(event))).toBe(event)
  expect(run).not.toHaveBeenCalled()
})

test('dropping a part of a ring without steps converts none of its stimuli', () => {
  const machine = createMachine({ id: 'ticker', on: { tick: {} } })
  const recording = record(machine, { clock: new SimulatedClock(), steps: false })
  recording.start()
  for (let n = 0; n < 50; n++) recording.actor.send({ type: 'tick' })
  const [segment] = createSegments(recording as never, () => 0).list()
  if (!segment) throw new Error('There is no segment.')
  const asked: number[] = []
  const batch = (most: number) => (asked.push(most), batchOf(segment.trace, most))
  expect(presentIn(inBatches({ ...segment.trace }, batch))).toBe(0)
  expect(asked).toEqual([0])
})
