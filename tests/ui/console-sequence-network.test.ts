// The network and the sequence diagram of the console: which rows and lifelines there are.
import { describe, expect, it } from 'vitest'
import { LiveFeed } from '../../src/trace/timeline/live-feed.ts'
import type { Timeline } from '../../src/trace/timeline/timeline.ts'
import type { ActorEntry, ViewRecord } from '../../src/trace/format.ts'
import { wholeOf, type Range } from '../../src/ui/console/canvas/time-scale.ts'
import { curlOf } from '../../src/ui/console/network/curl.ts'
import { networkRows, type Kind } from '../../src/ui/console/network/network-rows.ts'
import { retriesOf, storyOf } from '../../src/ui/console/network/request-story.ts'
import {
  busiest,
  lifelines,
  messagesIn,
  sequenceWindow,
} from '../../src/ui/console/sequence/sequence-rows.ts'
import { actorEntries, traceSource, viewRecords } from './console-trace.ts'

function timelineOf(actors: ActorEntry[], views: ViewRecord[]): Timeline {
  const feed = new LiveFeed(traceSource({ actors, views }))
  feed.advance(Infinity)
  return feed.timeline
}

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
    viewRecords([
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

  it('draws every message; actors without a lifeline share that of the nearest above', () => {
    const { lines, lineOf, sharing } = linesFor(3, [1])
    expect(lines).toEqual([-1, 2, 1])
    expect([lineOf(3), lineOf(4), lineOf(0)]).toEqual([1, 1, 0])
    expect(sharing).toBe(2)
    expect(typesOf(messages(wholeOf(timeline.end)))).toEqual([
      'send.answered',
      'send.answered',
      'request.settled',
      'xstate.after.100',
      'stored.found',
    ])
  })

  it('gives a chosen actor the place of the one that says least, so that all others keep theirs', () => {
    expect(linesFor(4, []).lines).toEqual([-1, 1, 2, 3])
    expect(linesFor(4, [4]).lines).toEqual([-1, 4, 2, 3])
    expect(linesFor(4, [4, 0]).lines).toEqual([-1, 4, 2, 0])
    expect(linesFor(4, [3, -1]).lines).toEqual([-1, 1, 2, 3])
    expect(linesFor(9, [0]).lines).toEqual([-1, 1, 2, 3, 4, 0])
  })

  it('never draws what came from outside as if an actor had sent it', () => {
    const { lines, lineOf } = linesFor(2, [1, 2])
    expect(lines).toEqual([-1, 1])
    expect(lineOf(-1)).toBe(0)
  })

  it('draws what the range and the query let through', () => {
    const odd = { seqAt: (row: number) => row * 2 + 1, rows: 4 }
    expect(messagesIn(timeline, odd, sequenceWindow(timeline, odd, [30, 60], 0))).toEqual([3, 5])
  })
})

describe('the sequence diagram of a long recording', () => {
  const SIZE = 20_000
  const timeline = timelineOf(
    actorEntries(['client', 'client']),
    viewRecords(Array.from({ length: SIZE }, () => ({ actor: 0, type: 'tick' }))),
  )
  const all = everyRow(timeline)
  const whole = wholeOf(timeline.end)

  it.each([
    ['the beginning', whole, 3, { from: 0, to: 3000, before: 0, after: 17_000 }],
    ['the middle', whole, 10_500, { from: 9000, to: 12_000, before: 9000, after: 8000 }],
    ['the end', whole, SIZE - 1, { from: 17_000, to: SIZE, before: 17_000, after: 0 }],
    ['a short range', [50_000, 60_000], 3, { from: 5000, to: 6001, before: 0, after: 0 }],
    ['a long range', [50_000, 150_000], 3, { from: 5000, to: 8000, before: 0, after: 7001 }],
  ] as const)('lays out what is about the moment: %s', (_, range, at, window) => {
    expect(sequenceWindow(timeline, all, range, at)).toEqual(window)
  })

  it('is the same while the moment stays on its page', () => {
    expect(sequenceWindow(timeline, all, whole, 10_999)).toEqual(sequenceWindow(timeline, all, whole, 10_000))
  })
})

describe('the network', () => {
  const info = (method: string, path: string) => ({ input: { info: { method, path } } })
  const actors = actorEntries(
    ['client', 'client'],
    ['client/requests', 'requests'],
    ['client/requests/request.1', 'request'],
    ['client/requests/request.1/send', 'send'],
    ['client/requests/request.2', 'request'],
    ['client/requests/request.2/send', 'send'],
  )
  const start = (actor: number, more: object) => ({
    actor,
    type: 'xstate.init',
    event: { type: 'xstate.init', ...more },
  })
  const views = viewRecords([
    { actor: 0, type: 'xstate.init', value: 'on' },
    { actor: 1, type: 'xstate.init', value: 'ready' },
    { ...start(2, info('GET', '/rest/v1/vessels')), value: 'exchanging' },
    start(3, { input: { attempt: 1 } }),
    { ...start(4, info('POST', '/rest/v1/log_entries')), value: 'exchanging' },
    start(5, { input: { attempt: 1 } }),
    {
      actor: 2,
      type: 'send.answered',
      from: 3,
      event: { type: 'send.answered', status: 200 },
      value: 'answered',
      status: 'done',
    },
    {
      actor: 4,
      type: 'send.failed',
      from: 5,
      event: {
        type: 'send.failed',
        failure: { message: 'no network', faultId: 'outage' },
        faultId: 'outage',
      },
      value: 'pausing',
    },
  ])
  const timeline = timelineOf(actors, views)
  const brief = (range: Range, column: 'start' | 'name' | 'duration', isDescending = false) =>
    networkRows(timeline, range, { column, isDescending }).map(row => ({
      path: row.wire.path,
      status: row.status,
      outcome: row.outcome,
      time: row.to - row.from,
      is: { open: row.isOpen, failed: row.failed, injected: row.injected },
    }))

  it('tells what came of each call, open ones too', () => {
    expect(brief(wholeOf(timeline.end), 'start')).toEqual([
      {
        path: '/rest/v1/vessels',
        status: 200,
        outcome: '',
        time: 40,
        is: { open: false, failed: false, injected: false },
      },
      {
        path: '/rest/v1/log_entries',
        status: undefined,
        outcome: 'no network',
        time: 30,
        is: { open: true, failed: true, injected: true },
      },
    ])
  })

  it('sorts by any column, and shows what lived in the range', () => {
    const whole = wholeOf(timeline.end)
    expect(brief(whole, 'name').map(({ path }) => path)).toEqual(['/rest/v1/log_entries', '/rest/v1/vessels'])
    expect(brief(whole, 'duration').map(({ time }) => time)).toEqual([30, 40])
    expect(brief(whole, 'duration', true).map(({ time }) => time)).toEqual([40, 30])
    expect(brief([65, 70], 'start').map(({ path }) => path)).toEqual(['/rest/v1/log_entries'])
  })

  it('shows those that are wanted: by their fate, and by words of all that stands in the row', () => {
    const wanted = (kind: Kind, text = '') =>
      networkRows(timeline, wholeOf(timeline.end), byStart, { kind, text }).map(({ wire }) => wire.path)
    expect(wanted('failed')).toEqual(['/rest/v1/log_entries'])
    expect(wanted('open')).toEqual(['/rest/v1/log_entries'])
    expect(wanted('retried')).toEqual([])
    expect(wanted('all', 'get 200')).toEqual(['/rest/v1/vessels'])
    expect(wanted('all', 'no NETWORK')).toEqual(['/rest/v1/log_entries'])
    expect(wanted('failed', 'vessels')).toEqual([])
  })
})

const byStart = { column: 'start', isDescending: false } as const

describe('a request', () => {
  const actors = actorEntries(
    ['client', 'client'],
    ['client/requests', 'requests'],
    ['client/requests/request.1', 'request'],
    ['client/requests/request.1/send', 'send'],
    ['client/requests/request.1/send.2', 'send'],
    ['client/requests/request.2', 'request'],
    ['client/requests/request.2/send', 'send'],
  )
  const begin = (actor: number, t: number, input: object) => ({
    actor,
    t,
    type: 'xstate.init',
    event: { type: 'xstate.init', input },
  })
  const timeline = timelineOf(
    actors,
    viewRecords([
      begin(0, 0, {}),
      begin(1, 0, {}),
      {
        ...begin(2, 100, { info: { method: 'GET', path: "/rest/v1/vessels?name=eq.Sea's" } }),
        value: 'awaitingToken',
      },
      { actor: 2, t: 140, type: 'gate.changed', value: { exchanging: 'sending' } },
      begin(3, 140, { attempt: 1 }),
      {
        actor: 2,
        t: 200,
        type: 'send.answered',
        from: 3,
        value: 'pausing',
        event: { type: 'send.answered', status: 503 },
      },
      { actor: 2, t: 700, type: 'xstate.after.pause', from: 2, value: { exchanging: 'sending' } },
      begin(4, 700, { attempt: 2 }),
      {
        actor: 2,
        t: 712.5,
        type: 'send.answered',
        from: 4,
        value: 'answered',
        status: 'done' as const,
        event: { type: 'send.answered', status: 200 },
      },
      {
        ...begin(5, 720, { info: { method: 'POST', path: '/rest/v1/vessels' } }),
        value: { exchanging: 'sending' },
      },
      begin(6, 720, { attempt: 1 }),
      {
        actor: 5,
        t: 725,
        type: 'send.answered',
        from: 6,
        value: 'pausing',
        event: { type: 'send.answered', status: 503 },
      },
      { actor: 5, t: 730, type: 'request.abort', value: 'failed' },
      { actor: 5, t: 730, type: 'xstate.stop', value: 'failed', status: 'stopped' },
    ]),
  )
  const [first, second] = networkRows(timeline, wholeOf(timeline.end), byStart)
  if (!first || !second) throw new Error('there are two')

  it('is told as a story', () => {
    expect(storyOf(timeline, first)).toEqual([
      { seq: 2, after: 0, took: '40 ms', phase: 'token', text: 'waited for a live token' },
      {
        seq: 3,
        after: 40,
        took: '60 ms',
        phase: 'sending',
        text: 'sent, try 1 of 2: answered 503 after 60 ms',
      },
      { seq: 5, after: 100, took: '500 ms', phase: 'pausing', text: 'paused before it was sent again' },
      {
        seq: 6,
        after: 600,
        took: '12.5 ms',
        phase: 'sending',
        text: 'sent, try 2 of 2: answered 200 after 12.5 ms',
      },
    ])
    expect(retriesOf(first.wire)).toEqual(['Try 2: 503 may pass, and this GET may be sent twice.'])
  })

  it('that the app gave up has not failed', () => {
    const { status, outcome, failed, isOpen } = second
    expect({ status, outcome, failed, isOpen }).toEqual({
      status: undefined,
      outcome: 'aborted',
      failed: false,
      isOpen: false,
    })
  })

  it('is a line for curl, whose secrets are variables', () => {
    expect(curlOf(first.wire)).toBe(
      [
        `curl -X GET "$URL"'/rest/v1/vessels?name=eq.Sea'\\''s' \\`,
        '  -H "apikey: $API_KEY" \\',
        '  -H "Authorization: Bearer $ACCESS_TOKEN"',
      ].join('\n'),
    )
    expect(curlOf(second.wire)).toMatch(/--data @body\.json$/)
    // A trace may come from anybody.
    const [line] = curlOf({ method: 'GET; rm -rf ~', path: '/' }).split('\n')
    expect(line).toBe(`curl -X 'GET; rm -rf ~' "$URL"'/' \\`)
  })
})
