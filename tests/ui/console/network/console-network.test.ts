// The network view of the console: its rows and their details.
import { describe, expect, it } from 'vitest'
import { wholeOf, type Range } from '../../../../src/ui/console/canvas/time-scale.ts'
import { curlOf } from '../../../../src/ui/console/network/network-contents.ts'
import { networkRows, type Kind } from '../../../../src/ui/console/network/network-rows.ts'
import { retriesOf, storyOf } from '../../../../src/ui/console/network/request-story.ts'
import { actorEntries, timelineOf, stepRecords } from '../../console-trace.ts'

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
  const steps = stepRecords([
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
      value: 'backingOff',
    },
  ])
  const timeline = timelineOf(actors, steps)
  const brief = (range: Range, column: 'start' | 'name' | 'duration', isDescending = false) =>
    networkRows(timeline, range, { column, isDescending }).map(row => ({
      path: row.wire.path,
      status: row.status,
      outcome: row.outcome,
      time: row.to - row.from,
      is: { open: row.isOpen, failed: row.failed, injected: row.injected },
    }))

  it('shows the outcome of each call, including pending ones', () => {
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

  it('sorts by any column, and shows calls within the range', () => {
    const full = wholeOf(timeline.end)
    expect(brief(full, 'name').map(({ path }) => path)).toEqual(['/rest/v1/log_entries', '/rest/v1/vessels'])
    expect(brief(full, 'duration').map(({ time }) => time)).toEqual([30, 40])
    expect(brief(full, 'duration', true).map(({ time }) => time)).toEqual([40, 30])
    expect(brief([65, 70], 'start').map(({ path }) => path)).toEqual(['/rest/v1/log_entries'])
  })

  it('filters by outcome, and by any text of the row', () => {
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

describe('a socket', () => {
  const actors = actorEntries(
    ['client/realtime/connection', 'connection'],
    ['client/realtime/connection/socket', 'socket'],
    ['client/realtime/connection/socket#2', 'socket'],
    ['client/realtime/connection/socket#3', 'socket'],
    ['client/realtime/connection/socket#4', 'socket'],
    ['client/realtime/connection/socket#5', 'socket'],
  )
  const event = (type: string, from: number, more: object = {}) => ({
    actor: 0,
    type,
    from,
    event: { type, ...more },
    value: 'attached',
  })
  const begin = (actor: number) => ({ actor, type: 'xstate.init', event: { type: 'xstate.init', input: {} } })
  const end = (actor: number) => ({ actor, type: 'xstate.stop', status: 'stopped' as const })
  const timeline = timelineOf(
    actors,
    stepRecords([
      { ...begin(0), value: 'attached' },
      begin(1),
      event('socket.closed', 1, { code: 1006, reason: 'fault local.offline#1' }),
      end(1),
      begin(2),
      event('socket.opened', 2),
      event('socket.closed', 2, { code: 1012, reason: 'service restart' }),
      end(2),
      begin(3),
      event('socket.opened', 3),
      end(3),
      begin(4),
      end(4),
      begin(5),
      event('socket.opened', 5),
    ]),
  )

  it('that did not open has failed, and says why', () => {
    const rows = networkRows(timeline, wholeOf(timeline.end), byStart)
    expect(
      rows.map(({ status, outcome, failed, injected, isOpen }) => [
        status,
        outcome,
        failed,
        injected,
        isOpen,
      ]),
    ).toEqual([
      [undefined, 'not opened · 1006 fault local.offline#1', true, true, false],
      [101, 'closed by the server · 1012 service restart', true, false, false],
      [101, 'closed by the client', false, false, false],
      [undefined, 'not opened', true, false, false],
      [101, 'open', false, false, true],
    ])
    expect(networkRows(timeline, wholeOf(timeline.end), byStart, { kind: 'failed', text: '' })).toHaveLength(
      3,
    )
  })
})

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
    stepRecords([
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
        value: 'backingOff',
        event: { type: 'send.answered', status: 503 },
      },
      { actor: 2, t: 700, type: 'xstate.after.retryDelay', from: 2, value: { exchanging: 'sending' } },
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
        value: 'backingOff',
        event: { type: 'send.answered', status: 503 },
      },
      { actor: 5, t: 730, type: 'request.abort', value: 'failed' },
      { actor: 5, t: 730, type: 'xstate.stop', value: 'failed', status: 'stopped' },
    ]),
  )
  const [first, second] = networkRows(timeline, wholeOf(timeline.end), byStart)
  if (!first || !second) throw new Error('there are two')

  it('is described as a story', () => {
    expect(storyOf(timeline, first)).toEqual([
      { seq: 2, after: 0, took: '40 ms', phase: 'token', text: 'waited for a valid token' },
      {
        seq: 3,
        after: 40,
        took: '60 ms',
        phase: 'sending',
        text: 'sent, attempt 1 of 2: response 503 after 60 ms',
      },
      { seq: 5, after: 100, took: '500 ms', phase: 'backoff', text: 'waited before a retry' },
      {
        seq: 6,
        after: 600,
        took: '12.5 ms',
        phase: 'sending',
        text: 'sent, attempt 2 of 2: response 200 after 12.5 ms',
      },
    ])
    expect(retriesOf(first.wire)).toEqual([
      'Attempt 2: 503 may be temporary, and this GET can be repeated safely.',
    ])
  })

  it('canceled by the app has not failed', () => {
    const { status, outcome, failed, isOpen } = second
    expect({ status, outcome, failed, isOpen }).toEqual({
      status: undefined,
      outcome: 'aborted',
      failed: false,
      isOpen: false,
    })
  })

  it('is a curl command with variables for secrets', () => {
    expect(curlOf({ ...first.wire, content: undefined })).toBe(
      [
        `curl "$SUPABASE_URL"'/rest/v1/vessels?name=eq.Sea'\\''s' \\`,
        '  -H "apikey: $SUPABASE_KEY" \\',
        '  -H "authorization: Bearer $ACCESS_TOKEN"',
      ].join('\n'),
    )
    expect(curlOf({ ...second.wire, content: undefined })).toMatch(/--data @body\.json$/)
    // A trace may come from an untrusted source.
    const [line] = curlOf({ method: 'GET; rm -rf ~', path: '/', content: undefined }).split('\n')
    expect(line).toBe(`curl -X 'GET; rm -rf ~' "$SUPABASE_URL"/ \\`)
  })
})
