// Channel handles: several users of a topic, each with its own events, and every command with an end.
import { describe, expect, test } from 'vitest'
import type {
  ChannelCommand,
  PostgresChange,
  ChannelStatus,
  ClientStatus,
} from '../../../src/machines/index.ts'
import { presenceDiff, type Broadcast } from '../../../src/services/client/realtime/realtime-over.ts'
import { createChannelHandles } from '../../../src/services/client/realtime/channel-handles.ts'
import type { ChannelEvents, ChannelHandle } from '../../../src/services/client/index.ts'

const settled = () => new Promise(resolve => setImmediate(resolve))
const vessels: PostgresChange = { event: '*', schema: 'public', table: 'vessels' }
const voyages: PostgresChange = { event: 'INSERT', schema: 'public', table: 'voyages' }
const change = {
  type: 'INSERT',
  schema: 'public',
  table: 'vessels',
  record: { id: 1 },
  old: {},
  commitTimestamp: '2026-01-01T00:00:00Z',
} as const
const joined: ChannelStatus = { phase: 'joined', postgres: 'live', data: 'live' }

/** Handles over a host that only records the commands. */
function harbour() {
  const requests: string[] = []
  const commands: ChannelCommand[] = []
  const posted: Broadcast[] = []
  let count = 0
  let channels: ClientStatus['channels'] = {}
  const handles = createChannelHandles({
    join: (topic, use, options) => requests.push(`join ${topic} ${use} ${JSON.stringify(options)}`),
    leave: (topic, use) => requests.push(`leave ${topic} ${use}`),
    command: (_, command) => commands.push(command),
    post: message => {
      posted.push(message)
      return Promise.resolve({ ok: true, value: undefined })
    },
    reason: () => undefined,
    status: () => ({ channels }) as ClientStatus,
    onStatus: () => () => undefined,
    keepAlive: () => () => undefined,
    id: () => `id-${++count}`,
    presenceDiff,
  })
  const show = (status: ChannelStatus) => {
    channels = { bridge: status }
    handles.update()
  }
  const report = (message: Parameters<typeof handles.report>[0]) => handles.report(message)
  const answer = (reason?: string, isUnsent?: boolean) => {
    const { id = '' } = commands.at(-1) ?? {}
    const end = { ...(reason !== undefined && { reason }), ...(isUnsent && { isUnsent }) }
    report({ type: 'channel.settled', topic: 'bridge', settled: { type: 'push.settled', id, ...end } })
  }
  return { ...handles, requests, commands, posted, show, report, answer }
}

/** What a handle receives, in order. */
function eventsOf(handle: ChannelHandle, ...kinds: readonly (keyof ChannelEvents)[]) {
  const all: unknown[] = []
  for (const kind of kinds) handle.on(kind, data => all.push([kind, data]))
  return all
}

describe('handles of a topic', () => {
  test('receive the row changes that they subscribed to, with their subscription', async () => {
    const { open, report } = harbour()
    const wide = open('bridge', { postgresChanges: [vessels] })
    const narrow = open('bridge', { postgresChanges: [voyages] })
    const wides: unknown[] = []
    wide.on('change', (...data) => wides.push(data))
    const narrows = eventsOf(narrow, 'change')
    report({
      type: 'channel.message',
      topic: 'bridge',
      message: { type: 'postgres.changed', change, wanted: { ...vessels } },
    })
    await settled()
    expect([wides, narrows]).toEqual([[[change, vessels]], []])
  })

  test('do not pass on what machines need not know', async () => {
    const { open, requests, resync } = harbour()
    const read: string[] = []
    const first = open('bridge', {
      broadcast: { ack: true, fallback: 'http' },
      resync: () => Promise.resolve(read.push('first')),
    })
    open('bridge', { resync: () => Promise.resolve(read.push('second')) })
    open('bridge')
    await resync('bridge')
    first.leave()
    await resync('bridge')
    await resync('no such topic')
    expect(read).toEqual(['first', 'second', 'second'])
    expect(requests).toEqual([
      'join bridge id-1 {"broadcast":{"ack":true}}',
      'join bridge id-2 {}',
      'join bridge id-3 {}',
      'leave bridge id-1',
    ])
  })

  test('fail a resync that one of them rejects', async () => {
    const { open, resync } = harbour()
    open('bridge', { resync: () => Promise.reject(new Error('late')) })
    open('bridge', { resync: () => Promise.resolve() })
    await expect(resync('bridge')).rejects.toThrow('late')
  })
})

describe('presence', () => {
  const mate = { mate: [{ name: 'mate', presence_ref: 'r1' }] }
  const synced = (state: object) =>
    ({
      type: 'channel.message',
      topic: 'bridge',
      message: { type: 'presence.synced', state },
    }) as Parameters<ReturnType<typeof harbour>['report']>[0]

  test('survives a gap and is corrected by the next sync: no user joins or leaves twice', async () => {
    const { open, report, show } = harbour()
    const handle = open('bridge')
    const all = eventsOf(handle, 'join', 'leave')
    show(joined)
    report(synced(mate))
    show({ phase: 'waiting', postgres: 'none', data: 'none', reason: 'offline' })
    expect(handle.presence()).toEqual(mate)
    show(joined)
    const again = { mate: [{ name: 'mate', presence_ref: 'r9' }], cook: [{ name: 'cook' }] }
    report(synced(again))
    report(synced({ cook: [{ name: 'cook' }] }))
    await settled()
    expect(all).toEqual([
      ['join', { key: 'mate', metas: mate.mate, present: mate.mate }],
      ['join', { key: 'cook', metas: again.cook, present: again.cook }],
      ['leave', { key: 'mate', metas: again.mate, present: [] }],
    ])
  })

  test('is empty once no sync can be expected', async () => {
    const { open, report, show } = harbour()
    const handle = open('bridge')
    show(joined)
    report(synced(mate))
    const all = eventsOf(handle, 'leave', 'presence')
    show({ phase: 'denied', postgres: 'none', data: 'none', reason: 'Unauthorized' })
    await settled()
    expect(all).toEqual([
      ['leave', { key: 'mate', metas: mate.mate, present: [] }],
      ['presence', {}],
    ])
  })
})

test('a gap is reported once, if there was something to miss', async () => {
  const { open, show } = harbour()
  const all = eventsOf(open('bridge'), 'gap')
  show({ phase: 'joined', postgres: 'pending', data: 'gap' })
  show(joined)
  show({ phase: 'waiting', postgres: 'pending', data: 'gap', reason: 'closed with 1006' })
  show({ phase: 'joining', postgres: 'pending', data: 'gap' })
  await settled()
  expect(all).toEqual([['gap', { reason: 'closed with 1006' }]])
})

test('a left handle receives nothing more, including messages in flight', async () => {
  const { open, report } = harbour()
  const [one, other] = [open('bridge'), open('bridge')]
  const [ones, others] = [eventsOf(one, 'broadcast'), eventsOf(other, 'broadcast')]
  report({
    type: 'channel.message',
    topic: 'bridge',
    message: { type: 'broadcast.received', event: 'hail', payload: 1 },
  })
  one.leave()
  await settled()
  expect([ones, others]).toEqual([[], [['broadcast', { event: 'hail', payload: 1 }]]])
})

test('system messages of the server are passed on', async () => {
  const { open, report } = harbour()
  const all = eventsOf(open('bridge'), 'system', 'broadcast')
  const word = { extension: 'postgres_changes', status: 'ok', message: 'Subscribed to PostgreSQL' }
  report({ type: 'channel.message', topic: 'bridge', message: { type: 'system.received', ...word } })
  const message = { event: 'hail', payload: { n: 1 }, meta: { id: 'm1' } }
  report({ type: 'channel.message', topic: 'bridge', message: { type: 'broadcast.received', ...message } })
  await settled()
  expect(all).toEqual([
    ['system', word],
    ['broadcast', message],
  ])
})

describe('a message', () => {
  test('that was never sent goes over HTTP if the fallback is enabled', async () => {
    const { open, answer, posted } = harbour()
    const handle = open('bridge', { private: true, broadcast: { fallback: 'http' } })
    const sent = handle.send('hail', { n: 1 })
    answer('offline', true)
    expect(await sent).toEqual({ ok: true, value: undefined })
    expect(posted).toEqual([{ topic: 'bridge', event: 'hail', payload: { n: 1 }, isPrivate: true }])
  })

  test('whose delivery is unknown is not sent twice', async () => {
    const { open, answer, posted } = harbour()
    const sent = open('bridge', { broadcast: { fallback: 'http' } }).send('hail', {})
    answer('timed out')
    const message = 'The message was not sent: timed out.'
    expect([await sent, posted]).toEqual([{ ok: false, failure: { kind: 'timeout', message } }, []])
  })

  test('that was never sent fails without a fallback', async () => {
    const { open, answer, posted } = harbour()
    const sent = open('bridge').send('hail', {})
    answer('offline', true)
    const message = 'The message was not sent: offline.'
    expect([await sent, posted]).toEqual([{ ok: false, failure: { kind: 'network', message } }, []])
  })

  test('to be stored is sent as such, and not over HTTP', async () => {
    const { open, answer, posted, commands } = harbour()
    const handle = open('bridge', { private: true, broadcast: { fallback: 'http' } })
    const sent = handle.send('hail', {}, { persist: { ttl: 60 } })
    expect(commands).toMatchObject([{ type: 'broadcast.send', persist: { ttl: 60 } }])
    answer('offline', true)
    expect([await sent, posted]).toMatchObject([{ ok: false, failure: { kind: 'network' } }, []])
  })

  test('of bytes is sent as exactly these bytes', () => {
    const { open, commands } = harbour()
    void open('bridge').send('chart', Uint8Array.of(9, 1, 2, 3, 9).subarray(1, 4))
    const [command] = commands
    const payload = command?.type === 'broadcast.send' ? command.payload : undefined
    expect([payload instanceof ArrayBuffer, new Uint8Array(payload as ArrayBuffer)]).toEqual([
      true,
      Uint8Array.of(1, 2, 3),
    ])
  })

  test('and presence end with the handle, or with the client', async () => {
    const { open, dispose } = harbour()
    const [one, other] = [open('bridge'), open('bridge')]
    const ends = [one.send('hail', {}), one.track({}), other.untrack()]
    one.leave()
    dispose()
    const left = { kind: 'aborted', message: 'The channel was left.' }
    const over = { kind: 'disposed', message: 'The client was disposed.' }
    expect(await Promise.all([...ends, one.track({}), other.send('hail', {})])).toEqual(
      [left, left, over, left, over].map(failure => ({ ok: false, failure })),
    )
    expect([one.status().phase, other.status().phase]).toEqual(['left', 'left'])
  })
})

test.each([
  ['', {}, /needs a topic/],
  [undefined, {}, /needs a topic/],
  ['bridge', { postgresChanges: null }, /`postgresChanges` must be a list/],
  ['bridge', { postgresChanges: [null] }, /`postgresChanges` must be a list/],
  ['bridge', { postgresChanges: [{ table: 'vessels' }] }, /`postgresChanges` must be a list/],
])('values that the types forbid are rejected with a message: %j %j', (topic, options, words) => {
  const { open, requests } = harbour()
  expect(() => open(topic as string, options as object)).toThrow(words)
  expect(requests).toEqual([])
})
