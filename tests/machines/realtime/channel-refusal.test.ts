// What follows from a rejected join, by the server's error text.
import { expect, test } from 'vitest'
import { scenario } from '../../harness/scenario.ts'
import { classifyRefusal } from '../../../src/machines/realtime/channel-setup.ts'

test.each([
  ['Unauthorized: You do not have permissions to read from this Channel topic: bridge', 'denied'],
  ['You no longer have permission to read from this Channel topic: bridge', 'denied'],
  ['PrivateOnly: This project only allows private channels', 'denied'],
  ['TopicNameRequired: You must provide a topic name', 'denied'],
  ['InvalidJoinPayload: More than 100 postgres_changes', 'denied'],
  ['UnableToReplayMessages: Replay params are not valid', 'denied'],
  ['UnableToReplayMessages: Replay is not allowed for public channels', 'denied'],
  ['mismatch between server and client bindings for postgres changes', 'denied'],
  ['ConnectionRateLimitReached: Too many connected users', 'rateLimited'],
  ['ChannelRateLimitReached: Too many channels', 'rateLimited'],
  ['ClientJoinRateLimitReached: Too many joins per second', 'rateLimited'],
  ['Too many messages per second', 'rateLimited'],
  ['Too many presence messages per second', 'rateLimited'],
  ['Client presence rate limit exceeded', 'rateLimited'],
  ['Track message size exceeded', 'rateLimited'],
  ['InvalidJWTToken: Token has expired 3 seconds ago', 'token'],
  ['MalformedJWT: The token provided is not a valid JWT', 'token'],
  ['Token has expired 0 seconds ago', 'token'],
  [':signature_error', 'token'],
  ['RealtimeRestarting: Realtime is restarting, please standby', 'transient'],
  ['UnableToReplayMessages: Realtime was unable to replay messages', 'transient'],
  ['DatabaseLackOfConnections', 'transient'],
  ['no response to the join', 'transient'],
])('%s → %s', (reason, kind) => {
  expect(classifyRefusal(reason)).toBe(kind)
})

test('rate limited → the longest pause at once, spread over its upper half', () => {
  const reason = 'ConnectionRateLimitReached: Too many connected users'
  const { clock, send, starts } = scenario(() => ({
    topic: () => [[5, { type: 'topic.refused', reason }]],
  }))
  clock.advance(5)
  send({ type: 'channel.join', topic: 'bridge', options: {} })
  clock.advance(15_000)
  expect(starts('topic')).toBe(1)
  clock.advance(16_000)
  expect(starts('topic')).toBe(2)
})

test('a new socket does not shorten the pause', () => {
  const reason = 'ClientJoinRateLimitReached: Too many joins per second'
  const { clock, send, starts, status } = scenario(() => ({
    socket: n => [
      [10, { type: 'socket.opened' }],
      ...(n === 1 ? ([[30, { type: 'socket.closed', code: 1001, reason: '' }]] as const) : []),
    ],
    topic: n => (n === 1 ? [[5, { type: 'topic.refused', reason }]] : [[5, { type: 'topic.joined' }]]),
  }))
  clock.advance(5)
  send({ type: 'channel.join', topic: 'bridge', options: {} })
  clock.advance(14_000)
  expect([starts('socket'), starts('topic'), status().channels['bridge']?.phase]).toEqual([2, 1, 'retrying'])
  clock.advance(17_000)
  expect([starts('topic'), status().channels['bridge']?.phase]).toEqual([2, 'joined'])
})
