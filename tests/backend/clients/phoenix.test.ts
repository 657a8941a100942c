// The contract with Phoenix's own JavaScript client, in both protocol versions.
import { Presence, Socket, type Channel } from 'phoenix'
import { WebSocket } from 'ws'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { signedIn, startTestBackend } from '../../harness/backend.ts'

const backend = await startTestBackend()
const token = (await (await signedIn(backend, 'skipper')).auth.getSession()).data.session?.access_token

const open: Socket[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(socket => new Promise<void>(resolve => socket.disconnect(resolve))))
})

function connect(vsn: string, apikey = backend.publishableKey): Socket {
  const socket = new Socket(`${backend.url.replace('http', 'ws')}/realtime/v1`, {
    transport: WebSocket,
    params: { apikey },
    vsn,
    ...(vsn === '1.0.0' ? { encode: encodeFirst, decode: decodeFirst } : {}),
  })
  socket.connect()
  open.push(socket)
  return socket
}

/** The client uses the second version unless this encoder is passed. */
function encodeFirst(message: object, callback: (encoded: string) => void): void {
  callback(JSON.stringify(message))
}

function decodeFirst(text: string, callback: (message: object) => void): void {
  callback(JSON.parse(text))
}

/** The response to a push, and whether it succeeded. */
function answer(push: { receive(status: string, callback: (response: unknown) => void): typeof push }) {
  return new Promise<readonly [string, unknown]>(resolve => {
    for (const status of ['ok', 'error', 'timeout'])
      push.receive(status, response => {
        resolve([status, response])
      })
  })
}

const config = (more: object = {}) => ({
  config: { broadcast: { ack: true, self: false }, presence: { key: '' }, postgres_changes: [], ...more },
})

async function join(socket: Socket, topic: string, params: object): Promise<Channel> {
  const channel = socket.channel(`realtime:${topic}`, params)
  expect(await answer(channel.join())).toEqual(['ok', { postgres_changes: [] }])
  return channel
}

describe.each(['1.0.0', '2.0.0'])('version %s', vsn => {
  test('join, broadcast with acknowledgment, leave', async () => {
    const topic = `phoenix-${vsn}`
    const sender = await join(connect(vsn), topic, config())
    const received: unknown[] = []
    const listener = await join(connect(vsn), topic, config())
    listener.on('broadcast', message => void received.push(message))
    const message = { type: 'broadcast', event: 'hail', payload: { words: 'ahoy ⚓' } }
    expect(await answer(sender.push('broadcast', message))).toEqual(['ok', {}])
    await vi.waitFor(() => expect(received).toEqual([expect.objectContaining(message)]))
    expect((await answer(sender.leave()))[0]).toBe('ok')
    expect(sender.state).toBe('closed')
  })

  test('presence through the Presence class', async () => {
    const topic = `crew-${vsn}`
    const watcher = connect(vsn).channel(
      `realtime:${topic}`,
      config({ presence: { key: 'watch', enabled: true } }),
    )
    const presence = new Presence(watcher)
    const names = () => presence.list((key, { metas }) => [key, metas[0]?.name])
    expect((await answer(watcher.join()))[0]).toBe('ok')
    const other = await join(connect(vsn), topic, config({ presence: { key: 'mate', enabled: true } }))
    const track = { type: 'presence', event: 'track', payload: { name: 'Mate' } }
    expect((await answer(other.push('presence', track)))[0]).toBe('ok')
    await vi.waitFor(() => expect(names()).toEqual([['mate', 'Mate']]))
    await answer(other.leave())
    await vi.waitFor(() => expect(names()).toEqual([]))
  })

  test('a token joins a private topic, a forged one does not', async () => {
    const socket = connect(vsn)
    const refused = socket.channel('realtime:any', { ...config(), access_token: 'a.b.c' })
    const [status, response] = await answer(refused.join())
    expect([status, response]).toEqual(['error', { reason: expect.stringMatching(/^[A-Za-z]+: /) }])
    refused.leave()
    const channel = socket.channel(`realtime:mine-${vsn}`, { ...config(), access_token: token })
    expect((await answer(channel.join()))[0]).toBe('ok')
  })

  test('a wrong key opens no socket', async () => {
    const socket = connect(vsn, 'sb_publishable_wrong')
    const failed = vi.fn<() => void>()
    socket.onError(failed)
    await vi.waitFor(() => expect(failed).toHaveBeenCalled())
    expect(socket.isConnected()).toBe(false)
  })
})
