// A channel: joined with a valid token, its rejections distinguished, and recovery from each.
import { describe, expect, test } from 'vitest'
import { scenario } from '../harness/scenario.ts'

describe('a channel', () => {
  test.each(['constructor', '__proto__', 'toString', 'a.b', ''])('may have the topic %j', topic => {
    const { clock, send, status } = scenario()
    clock.advance(5)
    send({ type: 'channel.join', topic, options: {} })
    clock.advance(50)
    expect(Object.entries(status().channels)).toEqual([
      [topic, { phase: 'joined', postgres: 'none', data: 'none' }],
    ])
    send({ type: 'channel.leave', topic })
    expect(Object.entries(status().channels)).toEqual([])
  })

  test("unauthorized: denied with the server's text, until there is a new token", () => {
    const reason = 'Unauthorized: You do not have permissions to read from this Channel topic: bridge'
    const { clock, signIn, send, status, starts } = scenario(() => ({
      topic: n => (n === 1 ? [[5, { type: 'topic.refused', reason }]] : [[5, { type: 'topic.joined' }]]),
    }))
    signIn()
    send({ type: 'channel.join', topic: 'bridge', options: { private: true } })
    clock.advance(600_000)
    expect([status().channels['bridge'], starts('topic')]).toEqual([
      { phase: 'denied', postgres: 'none', data: 'none', reason },
      1,
    ])
    send({ type: 'refresh.request' })
    clock.advance(100)
    expect(status().channels['bridge']).toEqual({ phase: 'joined', postgres: 'none', data: 'none' })
  })

  test('any other rejection, timeout or close: retried', () => {
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
    expect([status().channels['bridge'], starts('topic')]).toEqual([
      { phase: 'joined', postgres: 'none', data: 'none' },
      4,
    ])
  })

  test('messages, presence and rows reach the app in order; sending settles', () => {
    const { clock, send, emitted } = scenario(() => ({
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
    expect(emitted).toEqual([
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
      { type: 'channel.settled', topic: 'bridge', settled: { type: 'push.settled', id: 'b1' } },
    ])
  })

  test('a message that is unsent or unconfirmed when the socket closes is reported as failed', () => {
    const { clock, send, emitted } = scenario(() => ({
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
    expect(emitted).toEqual([
      {
        type: 'channel.settled',
        topic: 'bridge',
        settled: { type: 'push.settled', id: 'early', reason: 'the channel is not joined', isUnsent: true },
      },
      {
        type: 'channel.settled',
        topic: 'bridge',
        settled: { type: 'push.settled', id: 'lost', reason: 'closed with 1001: going away' },
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
