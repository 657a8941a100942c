// The end of the last channel: the socket stays open for the next one, unless there is a reason to close it
// at once.
import { describe, expect, test } from 'vitest'
import type { EnvironmentEvent, SocketEvent } from '../../src/machines/ports.ts'
import { DEFAULT_TIMINGS } from '../../src/machines/index.ts'
import { scenario } from '../harness/scenario.ts'
import type { Script } from '../harness/scripted-ports.ts'

const { lingerFor } = DEFAULT_TIMINGS
const join = (topic: string) => ({ type: 'channel.join', topic, options: {} }) as const
const leave = (topic: string) => ({ type: 'channel.leave', topic }) as const
const joined = { phase: 'joined', postgres: 'none', data: 'none' }
const seen = { type: 'environment.changed', online: true, visible: true } as const

/** The skipper was on `bridge` for some time and has just left. */
function left({
  environment = [],
  socket = [],
}: { environment?: Script<EnvironmentEvent>; socket?: Script<SocketEvent> } = {}) {
  const all = scenario(() => ({
    environment: () => [[0, seen], ...environment],
    socket: n => [[10, { type: 'socket.opened' }], ...(n === 1 ? socket : [])],
  }))
  all.signIn()
  all.send(join('bridge'))
  all.clock.advance(10_000)
  all.send(leave('bridge'))
  const sockets = () => all.journal.filter(line => line.startsWith('socket'))
  return { ...all, sockets }
}
const closed = ['socket 1', 'socket 1 stopped']

describe('after the last channel is left, the socket', () => {
  test('stays open for the next channel, which joins at once', () => {
    const { clock, send, status, sockets } = left()
    clock.advance(lingerFor - 1)
    expect([status().connection.phase, status().channels]).toEqual(['open', {}])
    send(join('deck'))
    clock.advance(5)
    expect(status().channels).toEqual({ deck: joined })
    clock.advance(10 * lingerFor)
    expect([status().channels, sockets()]).toEqual([{ deck: joined }, ['socket 1']])
  })

  test('closes when no channel follows, and opens again for a later one', () => {
    const { clock, send, status, sockets } = left()
    clock.advance(lingerFor)
    expect([status().connection, sockets()]).toEqual([{ phase: 'idle', attempt: 0 }, closed])
    send(join('deck'))
    clock.advance(50)
    expect([status().channels, sockets()]).toEqual([{ deck: joined }, [...closed, 'socket 2']])
  })

  test('receives a token that rotates in the meantime', () => {
    const { clock, send, status, sockets } = left()
    send({ type: 'refresh.request' })
    clock.advance(50)
    send(join('deck'))
    clock.advance(50)
    expect([status().channels, sockets()]).toEqual([{ deck: joined }, ['socket 1']])
  })

  test.each<readonly [string, Parameters<typeof left>[0]]>([
    ['offline', { environment: [[10_100, { ...seen, online: false }]] }],
    ['frozen', { environment: [[10_100, { ...seen, visible: false, frozen: true }]] }],
    ['after sleep', { environment: [[10_100, { type: 'environment.woke', slept: 60_000, at: 10_100 }]] }],
    ['doubtful', { socket: [[10_100, { type: 'socket.silent' }]] }],
    ['closed by the server', { socket: [[10_100, { type: 'socket.closed', code: 1012, reason: '' }]] }],
    ['broken', { socket: [[10_100, { type: 'port.broken', failure: { kind: 'bug', message: 'no' } }]] }],
  ])('is not kept open when it is %s', (_, environment) => {
    const { clock, status, sockets } = left(environment)
    clock.advance(200)
    expect([status().connection, sockets()]).toEqual([{ phase: 'idle', attempt: 0 }, closed])
    clock.advance(600_000)
    expect(sockets()).toEqual(closed)
  })

  test('closes at once when the session ends', () => {
    const { clock, send, status, sockets } = left()
    send({ type: 'session.signOut', attempt: 'a2', scope: 'local' })
    clock.advance(50)
    expect([status().connection, sockets()]).toEqual([{ phase: 'idle', attempt: 0 }, closed])
  })

  test('closes at once if it was not open', () => {
    const { clock, send, status, sockets } = left()
    clock.advance(lingerFor)
    send(join('deck'))
    send(leave('deck'))
    expect([status().connection, sockets()]).toEqual([
      { phase: 'idle', attempt: 0 },
      [...closed, 'socket 2', 'socket 2 stopped'],
    ])
  })
})

describe('disconnected by the app', () => {
  test('the socket closes at once, and channels wait until connect is called again', () => {
    const { clock, send, status, sockets } = left()
    send(join('bridge'))
    clock.advance(50)
    send({ type: 'realtime.disconnect' })
    expect([status().connection, status().channels, sockets()]).toEqual([
      { phase: 'idle', attempt: 0 },
      { bridge: { ...joined, phase: 'waiting', reason: 'disconnected by the app' } },
      closed,
    ])
    send({ type: 'refresh.request' })
    clock.advance(600_000)
    expect([status().connection.phase, sockets()]).toEqual(['idle', closed])
    send({ type: 'realtime.connect' })
    clock.advance(50)
    expect([status().connection.phase, status().channels]).toEqual(['open', { bridge: joined }])
  })

  test('another channel, or another handle of one, connects again', () => {
    for (const topic of ['bridge', 'deck']) {
      const { clock, send, status } = left()
      send(join('bridge'))
      send({ type: 'realtime.disconnect' })
      send(join(topic))
      clock.advance(50)
      expect(status().channels).toEqual({ bridge: joined, [topic]: joined })
    }
  })

  test('without a channel in use there is nothing to connect for', () => {
    const { clock, send, sockets } = left()
    send({ type: 'realtime.disconnect' })
    expect(sockets()).toEqual(closed)
    send({ type: 'realtime.connect' })
    clock.advance(50)
    expect(sockets()).toEqual(closed)
  })
})
