// The stop: pending frames are answered, sockets close as for a restart, and new ones are refused.
import { connect } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startBackend } from '../../../backend/index.ts'
import { joinTopic, openSocket, QUIET, replyTo, socketUrl } from '../../harness/wire-socket.ts'

test('pending frames are answered before the close', async () => {
  const backend = await startBackend({ data: 'memory' })
  const [wire, other] = [await openSocket(backend), await openSocket(backend)]
  await joinTopic(wire, 'deck', { ...QUIET, broadcast: { ack: true } })
  await joinTopic(other, 'deck')
  const hail = { type: 'broadcast', event: 'hail', payload: {} }
  wire.send(['1', '2', 'realtime:deck', 'broadcast', hail])
  await other.received(1)
  await backend.stop()
  expect([await wire.closed, await other.closed]).toEqual([1012, 1012])
  expect([wire.frames, other.frames]).toEqual([
    [replyTo('2', 'deck', 'ok', {})],
    [[null, null, 'realtime:deck', 'broadcast', hail]],
  ])
})

test('a client that never answers the close does not delay the stop', async () => {
  const backend = await startBackend({ data: 'memory' })
  const { host, pathname, search } = new URL(socketUrl(backend))
  const peer = connect(backend.port, '127.0.0.1')
  peer.write(
    `GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
      'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  )
  const [answer] = await once(peer, 'data')
  expect(String(answer).split('\r\n')[0]).toBe('HTTP/1.1 101 Switching Protocols')
  const gone = once(peer, 'close')
  peer.on('error', () => undefined)
  await backend.stop()
  await gone
  await expect(fetch(`${backend.url}/_chartroom/health`)).rejects.toThrow('fetch failed')
})

test('a request during the stop gets 503 instead of a host name error', async () => {
  const backend = await startBackend({ data: 'memory' })
  const { host, pathname, search } = new URL(socketUrl(backend))
  const upgrade = 'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n'
  const late = await Promise.all(
    [
      `GET ${pathname}${search} HTTP/1.1\r\n${upgrade}sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n`,
      'GET /_chartroom/health HTTP/1.1\r\nconnection: close\r\n',
    ].map(async head => {
      const peer = connect(backend.port, '127.0.0.1').on('error', () => undefined)
      await once(peer, 'connect')
      peer.write(head)
      return peer
    }),
  )
  // The server has accepted both connections once it answers a later one.
  await fetch(`${backend.url}/_chartroom/health`)
  const stopped = backend.stop()
  const answers = late.map(async peer => {
    peer.write(`host: ${host}\r\n\r\n`)
    const [answer] = await once(peer, 'data')
    return String(answer).split('\r\n')[0]
  })
  expect(await Promise.all(answers)).toEqual(['HTTP/1.1 503 Service Unavailable', 'HTTP/1.1 200 OK'])
  await stopped
})
