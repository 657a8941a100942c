// Lines that readers accept: what would make a line too long is replaced by markers, and everything else
// stays.
import { describe, expect, test } from 'vitest'
import { decodeValue, type Json, type StepRecord, Opaque } from '../../../src/trace/index.ts'
import { ODD_EVENT } from '../../../src/trace/codec/odd-event.ts'
import { recordText as textWithin } from '../../../src/trace/write/record-line.ts'

/** Lines of the real length take seconds to generate. */
const MOST = 16_384

const recordText = (record: object) => textWithin(record, MOST)
const bytes = (text: string) => new TextEncoder().encode(text).length
const read = (text: string) => decodeValue(JSON.parse(text) as Json) as Record<string, unknown>
const big = (char: string, length = 10_000) => char.repeat(length)

const stepOf = (more: Partial<StepRecord>): StepRecord => ({
  line: 'step',
  seq: 0,
  t: 1.5,
  actor: 0,
  event: { type: 'load' },
  cause: -1,
  status: 'active',
  changed: true,
  ...more,
})

describe('a record that is too large for a line', () => {
  test('loses its largest value, and keeps the rest', () => {
    const record = stepOf({
      event: { type: 'load', data: big('a', 10_010) },
      context: { data: big('b'), count: 3 },
    })
    const text = recordText(record)
    expect(bytes(text)).toBeLessThanOrEqual(MOST)
    const { event, context, seq } = read(text) as { event: Record<string, unknown>; context: object; seq: 0 }
    expect(event['type']).toBe('load')
    expect(event['data']).toEqual(
      new Opaque(
        'unwritable',
        expect.stringMatching(/^too large: 10012 bytes with the hash [0-9a-f]{16}$/) as never,
      ),
    )
    expect([context, seq]).toEqual([{ data: big('b'), count: 3 }, 0])
  })

  test('is measured in bytes, as readers do', () => {
    const text = recordText(stepOf({ context: { data: big('é'), note: 'kept' } }))
    expect(bytes(text)).toBeLessThan(1000)
    expect(read(text)['context']).toMatchObject({ note: 'kept', data: { kind: 'unwritable' } })
  })

  test('is the same line for the same values, whatever time it took, and another for other values', () => {
    const of = (data: string, t: number) => {
      const via = t > 2 ? ['a#0', 'b#1'] : ['a#0']
      const {
        t: _time,
        via: _via,
        ...rest
      } = read(recordText(stepOf({ t, context: { data, more: big('b', 5000) }, via })))
      return rest
    }
    for (let length = 10_900; length < 11_400; length += 7)
      expect(of(big('a', length), 1)).toEqual(of(big('a', length), 1234.567))
    expect(of(big('a', 12_000), 1)).not.toEqual(of(`${big('a', 11_999)}x`, 1))
  })

  test('keeps an event with a type', () => {
    const text = recordText(stepOf({ event: { type: big('t', 17_000) } }))
    expect(read(text)['event']).toMatchObject({ type: ODD_EVENT, value: { type: { kind: 'unwritable' } } })
  })

  test.each([
    ['many small values', () => Array.from({ length: 9_000 }, () => 0)],
    ['a sparse list', () => Object.assign([], { length: 2 ** 31 })],
    ['bytes', () => new Uint8Array(20_000)],
    ['a text that fits in no line', () => big('x', 20_000)],
  ])('may hold %s', (_what, make) => {
    const text = recordText(stepOf({ event: { type: 'load', data: make(), note: 'kept' } }))
    expect(read(text)['event']).toMatchObject({ type: 'load', note: 'kept', data: { kind: 'unwritable' } })
  })

  test('may contain what would never end when written out', () => {
    const endless = (): object => ({
      get left() {
        return endless()
      },
      get right() {
        return endless()
      },
    })
    const text = recordText(stepOf({ event: { type: 'load', graph: endless(), note: 'kept' } }))
    expect(read(text)['event']).toMatchObject({ type: 'load', note: 'kept', graph: { kind: 'unwritable' } })
  })

  test('contains an object once, however often it occurs', () => {
    let graph: unknown = {}
    for (let level = 0; level < 40; level++) graph = { left: graph, right: graph }
    const text = recordText(stepOf({ event: { type: 'load', graph, note: 'kept' } }))
    expect(bytes(text)).toBeLessThan(10_000)
    expect(JSON.parse(text)).toMatchObject({ event: { graph: { $: 'shared' }, note: 'kept' } })
  })

  test('loses the names of transitions before it loses values', () => {
    const via = Array.from({ length: 100 }, (_, n) => `some.state#${n}`)
    const text = recordText(stepOf({ context: { data: big('b', 15_500) }, via }))
    expect(bytes(text)).toBeLessThanOrEqual(MOST)
    expect(read(text)).toMatchObject({ context: { data: expect.any(String) as string } })
    expect(read(text)).not.toHaveProperty('via')
  })
})
