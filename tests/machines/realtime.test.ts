// Realtime: a token before the socket, one socket for all topics, refusals told apart, and a way back.
import { describe, expect, test } from 'vitest'
import { scenario } from '../harness/scenario.ts'
import { token } from '../harness/scripted-ports.ts'

const changes = { postgresChanges: [{ event: '*', schema: 'public', table: 'vessels' }] } as const

describe('the connection', () => {
  test('nobody wants it: no socket; the first topic opens it, the last to leave closes it', () => {
    const { clock, send, status, journal } = scenario()
    clock.advance(1000)
    expect(status().connection).toEqual({ phase: 'idle', attempt: 0 })
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    clock.advance(50)
    expect(status().connection.phase).toBe('open')
    expect(status().channels).toEqual({ bridge: { phase: 'joined', postgres: 'none' } })
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    send({ type: 'channel.leave', topic: 'bridge' })
    expect(status().channels).toEqual({ bridge: { phase: 'joined', postgres: 'none' } })
    send({ type: 'channel.leave', topic: 'bridge' })
    expect(status().channels).toEqual({})
    expect(journal.slice(-2).sort()).toEqual(['socket 1 stopped', 'topic 1 stopped'])
  })

  test('booting: the socket waits for the token', () => {
    const { clock, send, status, starts } = scenario(clock => ({
      readSession: () => [[500, { type: 'stored.found', token: token(clock, 1) }]],
    }))
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    clock.advance(499)
    expect([status().connection.phase, starts('socket')]).toEqual(['waitingForToken', 0])
    clock.advance(50)
    expect([status().connection.phase, starts('socket')]).toEqual(['open', 1])
  })

  test('closed by the server: reopens after a pause, and the topic is joined anew', () => {
    const { clock, send, status, starts } = scenario(() => ({
      socket: n =>
        n === 1
          ? [
              [10, { type: 'socket.opened' }],
              [5_000, { type: 'socket.closed', code: 1006, reason: '' }],
            ]
          : [[10, { type: 'socket.opened' }]],
    }))
    clock.advance(5)
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    clock.advance(5_001)
    expect(status().connection).toEqual({ phase: 'reconnecting', attempt: 1, reason: 'closed with 1006' })
    expect(status().channels['bridge']).toEqual({
      phase: 'waiting',
      postgres: 'none',
      reason: 'closed with 1006',
    })
    clock.advance(1_000)
    expect(status().connection).toEqual({ phase: 'open', attempt: 0 })
    expect(status().channels['bridge']).toEqual({ phase: 'joined', postgres: 'none' })
    expect([starts('socket'), starts('topic')]).toEqual([2, 2])
  })

  test('never opens: pauses grow to 30 s at most', () => {
    const { clock, send, starts, status } = scenario(() => ({
      socket: () => [[10, { type: 'socket.closed', code: 1006, reason: '' }]],
    }))
    clock.advance(5)
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    clock.advance(600_000)
    expect(status().connection.phase).toBe('reconnecting')
    expect(starts('socket')).toBeGreaterThan(20)
    expect(starts('socket')).toBeLessThan(50)
  })

  test('a silent socket is dropped and replaced', () => {
    const { clock, send, starts, journal } = scenario(() => ({
      socket: n => [
        [10, { type: 'socket.opened' }],
        ...(n === 1 ? ([[50_000, { type: 'socket.silent' }]] as const) : []),
      ],
    }))
    clock.advance(5)
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    clock.advance(52_000)
    expect(starts('socket')).toBe(2)
    expect(journal).toContain('socket 1 stopped')
  })

  test('another user: the socket is replaced, a new token of the same user is only pushed', () => {
    const { clock, signIn, send, starts } = scenario()
    signIn()
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    clock.advance(50)
    send({ type: 'refresh.request' })
    clock.advance(50)
    expect(starts('socket')).toBe(1)
    send({ type: 'session.signOut', attempt: 'a2', scope: 'local' })
    clock.advance(50)
    expect(starts('socket')).toBe(2)
  })

  test('offline: suspended at once; online: back at once', () => {
    const { clock, send, status } = scenario(() => ({
      environment: () => [
        [0, { type: 'environment.changed', online: true, visible: true }],
        [1_000, { type: 'environment.changed', online: false, visible: true }],
        [9_000, { type: 'environment.changed', online: true, visible: true }],
      ],
    }))
    clock.advance(5)
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    clock.advance(1_000)
    expect(status().connection).toEqual({ phase: 'suspended', attempt: 0, reason: 'offline' })
    clock.advance(8_050)
    expect(status().connection.phase).toBe('open')
  })
})

describe('a channel', () => {
  test.each(['constructor', '__proto__', 'toString', 'a.b', ''])('may be called %j', topic => {
    const { clock, send, status } = scenario()
    clock.advance(5)
    send({ type: 'channel.join', topic, options: {} })
    clock.advance(50)
    expect(Object.entries(status().channels)).toEqual([[topic, { phase: 'joined', postgres: 'none' }]])
    send({ type: 'channel.leave', topic })
    expect(Object.entries(status().channels)).toEqual([])
  })

  test('row changes are promised only once the server says so', () => {
    const { clock, send, status } = scenario(() => ({
      topic: () => [
        [5, { type: 'topic.joined' }],
        [500, { type: 'postgres.subscribed' }],
      ],
    }))
    clock.advance(5)
    send({ type: 'channel.join', topic: 'rows', options: changes })
    clock.advance(100)
    expect(status().channels['rows']).toEqual({ phase: 'joined', postgres: 'pending' })
    clock.advance(500)
    expect(status().channels['rows']).toEqual({ phase: 'joined', postgres: 'live' })
  })

  test('row changes that failed come back when the server says so', () => {
    const { clock, send, status } = scenario(() => ({
      topic: () => [
        [5, { type: 'topic.joined' }],
        [10, { type: 'postgres.failed', reason: 'Unable to subscribe to changes' }],
        [500, { type: 'postgres.subscribed' }],
      ],
    }))
    clock.advance(5)
    send({ type: 'channel.join', topic: 'rows', options: changes })
    clock.advance(100)
    const reason = 'Unable to subscribe to changes'
    expect(status().channels['rows']).toEqual({ phase: 'joined', postgres: 'failed', reason })
    clock.advance(500)
    expect(status().channels['rows']).toMatchObject({ phase: 'joined', postgres: 'live' })
  })

  test('unauthorised: denied with the words of the server, until another token is there', () => {
    const reason = 'Unauthorized: You do not have permissions to read from this Channel topic: bridge'
    const { clock, signIn, send, status, starts } = scenario(() => ({
      topic: n => (n === 1 ? [[5, { type: 'topic.refused', reason }]] : [[5, { type: 'topic.joined' }]]),
    }))
    signIn()
    send({ type: 'channel.join', topic: 'bridge', options: { private: true } })
    clock.advance(600_000)
    expect([status().channels['bridge'], starts('topic')]).toEqual([
      { phase: 'denied', postgres: 'none', reason },
      1,
    ])
    send({ type: 'refresh.request' })
    clock.advance(100)
    expect(status().channels['bridge']).toEqual({ phase: 'joined', postgres: 'none' })
  })

  test('any other refusal, silence or closing: tried again', () => {
    const { clock, send, status, starts } = scenario(() => ({
      topic: n =>
        n === 1
          ? [[5, { type: 'topic.refused', reason: 'DatabaseLackOfConnections' }]]
          : n === 2
            ? []
            : n === 3
              ? [
                  [5, { type: 'topic.joined' }],
                  [100, { type: 'topic.closed', reason: 'Token has expired' }],
                ]
              : [[5, { type: 'topic.joined' }]],
    }))
    clock.advance(5)
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    clock.advance(20_000)
    expect([status().channels['bridge'], starts('topic')]).toEqual([{ phase: 'joined', postgres: 'none' }, 4])
  })

  test('messages, presence and rows reach the app in order; sending settles', () => {
    const { clock, send, told } = scenario(() => ({
      topic: () => [
        [5, { type: 'topic.joined' }],
        [6, { type: 'presence.synced', state: { mate: [{ name: 'mate' }] } }],
        [7, { type: 'broadcast.received', event: 'hail', payload: { text: 'ahoy' } }],
      ],
    }))
    clock.advance(5)
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    clock.advance(50)
    send({
      type: 'channel.command',
      topic: 'bridge',
      command: { type: 'broadcast.send', id: 'b1', event: 'hail', payload: {} },
    })
    clock.advance(10)
    expect(told).toEqual([
      {
        type: 'channel.message',
        topic: 'bridge',
        message: { type: 'presence.synced', state: { mate: [{ name: 'mate' }] } },
      },
      {
        type: 'channel.message',
        topic: 'bridge',
        message: { type: 'broadcast.received', event: 'hail', payload: { text: 'ahoy' } },
      },
      { type: 'channel.settled', topic: 'bridge', settled: { type: 'broadcast.settled', id: 'b1' } },
    ])
  })

  test('a message that cannot be sent, or whose fate is unknown when the socket goes, is told as failed', () => {
    const { clock, send, told } = scenario(() => ({
      socket: n =>
        n === 1
          ? [
              [10, { type: 'socket.opened' }],
              [1_000, { type: 'socket.closed', code: 1001, reason: 'going away' }],
            ]
          : [],
      command: () => [],
    }))
    clock.advance(5)
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    const hail = (id: string) =>
      send({
        type: 'channel.command',
        topic: 'bridge',
        command: { type: 'broadcast.send', id, event: 'hail', payload: {} },
      })
    hail('early')
    clock.advance(500)
    hail('lost')
    clock.advance(1_000)
    expect(told).toEqual([
      {
        type: 'channel.settled',
        topic: 'bridge',
        settled: { type: 'broadcast.settled', id: 'early', reason: 'the channel is not joined' },
      },
      {
        type: 'channel.settled',
        topic: 'bridge',
        settled: { type: 'broadcast.settled', id: 'lost', reason: 'closed with 1001: going away' },
      },
    ])
  })

  test('presence is tracked again after each join', () => {
    const commands: unknown[] = []
    const { clock, send } = scenario(() => ({
      socket: n =>
        n === 1
          ? [
              [10, { type: 'socket.opened' }],
              [1_000, { type: 'socket.closed', code: 1006, reason: '' }],
            ]
          : [[10, { type: 'socket.opened' }]],
      command: command => {
        commands.push(command)
        return []
      },
    }))
    clock.advance(5)
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    send({
      type: 'channel.command',
      topic: 'bridge',
      command: { type: 'presence.track', meta: { name: 'skipper' } },
    })
    clock.advance(5_000)
    expect(commands).toEqual([
      { type: 'presence.track', meta: { name: 'skipper' } },
      { type: 'presence.track', meta: { name: 'skipper' } },
    ])
  })
})
