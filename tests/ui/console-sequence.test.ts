// The sequence diagram of the console: its rows and lifelines.
import { describe, expect, it } from 'vitest'
import type { Timeline } from '../../src/trace/index.ts'
import { wholeOf, type Range } from '../../src/ui/console/canvas/time-scale.ts'
import {
  busiest,
  ELSEWHERE,
  lifelines,
  messagesIn,
  sequenceWindow,
} from '../../src/ui/console/sequence/sequence-rows.ts'
import { actorEntries, timelineOf, stepRecords } from './console-trace.ts'

const everyRow = (timeline: Timeline) => ({
  seqAt: (row: number) => (row < timeline.size ? row : -1),
  rows: timeline.size,
})

describe('the sequence diagram', () => {
  const quay = actorEntries(
    ['client', 'client'],
    ['client/session', 'session'],
    ['client/requests', 'requests'],
    ['client/requests/request.0', 'request'],
    ['client/requests/request.1', 'request'],
  )
  const timeline = timelineOf(
    quay,
    stepRecords([
      { actor: 0, type: 'xstate.init', value: 'on' },
      { actor: 1, type: 'xstate.init', value: 'booting', from: 0 },
      { actor: 2, type: 'xstate.init', value: 'ready', from: 0 },
      { actor: 3, type: 'send.answered' },
      { actor: 4, type: 'send.answered' },
      { actor: 2, type: 'request.settled', from: 3 },
      { actor: 1, type: 'xstate.after.100', from: 1 },
      { actor: 1, type: 'stored.found', from: 2 },
    ]),
  )
  const all = everyRow(timeline)
  const typesOf = (seqs: readonly number[]) => seqs.map(seq => timeline.type(seq))
  const messages = (range: Range) => messagesIn(timeline, all, sequenceWindow(timeline, all, range, 0))

  const linesFor = (room: number, keep: readonly number[]) =>
    lifelines(timeline, busiest(timeline, messages(wholeOf(timeline.end))), room, keep)

  it("draws every message; actors without a lifeline share their nearest ancestor's", () => {
    const { lines, lineOf, sharing } = linesFor(3, [2])
    expect(lines).toEqual([-1, 0, 2])
    expect([lineOf(3), lineOf(4), lineOf(1)]).toEqual([2, 2, 1])
    expect(sharing).toBe(3)
    expect(typesOf(messages(wholeOf(timeline.end)))).toEqual([
      'send.answered',
      'send.answered',
      'request.settled',
      'xstate.after.100',
      'stored.found',
    ])
  })

  it('gives a selected actor the place of the least active one, so that the others keep theirs', () => {
    expect(linesFor(4, []).lines).toEqual([-1, 0, 2, 3])
    expect(linesFor(4, [1]).lines).toEqual([-1, 0, 2, 1])
    expect(linesFor(4, [4, 1]).lines).toEqual([-1, 0, 1, 4])
    expect(linesFor(4, [3, -1]).lines).toEqual([-1, 0, 2, 3])
    expect(linesFor(9, [4]).lines).toEqual([-1, 0, 1, 2, 3, 4])
  })

  it('never draws an external event as if an actor had sent it', () => {
    const { lines, lineOf } = linesFor(2, [1, 2])
    expect(lines).toEqual([-1, 0, 1])
    expect([lineOf(-1), lineOf(0), lineOf(2)]).toEqual([0, 1, 1])
  })

  it('draws messages of several systems without lifelines next to all lifelines', () => {
    const two = timelineOf(
      actorEntries(['one', 'one'], ['two', 'two'], ['three', 'three'], ['four', 'four']),
      stepRecords([
        { actor: 1, type: 'hail', from: 0 },
        { actor: 2, type: 'hail', from: 0 },
        { actor: 3, type: 'hail', from: 2 },
        { actor: 1, type: 'hail', from: 2 },
      ]),
    )
    const { lines, lineOf, sharing } = lifelines(two, busiest(two, [0, 1, 2, 3]), 3, [0])
    expect({ lines, sharing, of: lineOf(3) }).toEqual({ lines: [0, 1, 2], sharing: 1, of: ELSEWHERE })
  })

  it('draws the events that match the range and the query', () => {
    const odd = { seqAt: (row: number) => row * 2 + 1, rows: 4 }
    expect(messagesIn(timeline, odd, sequenceWindow(timeline, odd, [30, 60], 0))).toEqual([3, 5])
  })
})

describe('the sequence diagram of a long recording', () => {
  const SIZE = 20_000
  const timeline = timelineOf(
    actorEntries(['client', 'client']),
    stepRecords(Array.from({ length: SIZE }, () => ({ actor: 0, type: 'tick' }))),
  )
  const all = everyRow(timeline)
  const full = wholeOf(timeline.end)

  it.each([
    ['the beginning', full, 3, { from: 0, to: 3000, before: 0, after: 17_000 }],
    ['the middle', full, 10_500, { from: 9000, to: 12_000, before: 9000, after: 8000 }],
    ['the end', full, SIZE - 1, { from: 17_000, to: SIZE, before: 17_000, after: 0 }],
    ['a short range', [50_000, 60_000], 3, { from: 5000, to: 6001, before: 0, after: 0 }],
    ['a long range', [50_000, 150_000], 3, { from: 5000, to: 8000, before: 0, after: 7001 }],
  ] as const)('lays out events around the moment: %s', (_, range, at, window) => {
    expect(sequenceWindow(timeline, all, range, at)).toEqual(window)
  })

  it('is the same while the moment stays on its page', () => {
    expect(sequenceWindow(timeline, all, full, 10_999)).toEqual(sequenceWindow(timeline, all, full, 10_000))
  })
})
