// The connection: a fresh token before the socket, one socket for all topics, liveness checks, and
// reconnects.
import { describe, expect, test } from 'vitest'
import { scenario } from '../harness/scenario.ts'
import { token } from '../harness/scripted-ports.ts'

const bridge = { type: 'channel.join', topic: 'bridge', options: {} } as const
const opened = { type: 'socket.opened' } as const

describe('the connection', () => {
  test('no topics: no socket; the first topic opens it, and all topics share it', () => {
    const { clock, send, status, journal } = scenario()
    clock.advance(1000)
    expect(status().connection).toEqual({ phase: 'idle', attempt: 0 })
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    clock.advance(50)
    expect(status().connection.phase).toBe('open')
    expect(status().channels).toEqual({ bridge: { phase: 'joined', postgres: 'none', data: 'none' } })
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    send({ type: 'channel.leave', topic: 'bridge' })
    expect(status().channels).toEqual({ bridge: { phase: 'joined', postgres: 'none', data: 'none' } })
    send({ type: 'channel.leave', topic: 'bridge' })
    expect(status().channels).toEqual({})
    expect(journal.filter(line => /^(socket|topic)/.test(line))).toEqual([
      'socket 1',
      'topic 1',
      'topic 1 stopped',
    ])
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

  test('closed by the server: reopens after a pause, and the topic joins again', () => {
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
      data: 'none',
      reason: 'closed with 1006',
    })
    clock.advance(1_000)
    expect(status().connection).toEqual({ phase: 'open', attempt: 0 })
    expect(status().channels['bridge']).toEqual({ phase: 'joined', postgres: 'none', data: 'none' })
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

  test('a silent socket is probed, and replaced when it does not respond', () => {
    const silentOnce = (probe: boolean) =>
      scenario(() => ({
        socket: n => [[10, opened], ...(n === 1 ? ([[50_000, { type: 'socket.silent' }]] as const) : [])],
        ...(probe ? {} : { probe: () => [] }),
      }))
    const dead = silentOnce(false)
    dead.clock.advance(5)
    dead.send(bridge)
    dead.clock.advance(50_001)
    expect(dead.status().connection).toEqual({ phase: 'probing', attempt: 0 })
    dead.clock.advance(4_000)
    const reason = 'the socket is not responding'
    expect(dead.status().connection).toEqual({ phase: 'reconnecting', attempt: 1, reason })
    dead.clock.advance(1_000)
    expect([dead.status().connection.phase, dead.starts('socket')]).toEqual(['open', 2])
    const alive = silentOnce(true)
    alive.clock.advance(5)
    alive.send(bridge)
    alive.clock.advance(50_100)
    expect([alive.status().connection, alive.starts('socket')]).toEqual([{ phase: 'open', attempt: 0 }, 1])
  })

  test('another user: the socket is replaced; a new token of the same user is only pushed', () => {
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

  test('offline: suspended at once; online: reconnects at once', () => {
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
