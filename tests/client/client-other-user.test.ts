// Another user's session appears in storage: no request uses it until the client has switched to it.
import { expect, test } from 'vitest'
import type { SessionStorage } from '../../src/services/runtime/index.ts'
import { startClient } from '../harness/client.ts'
import { jwt, sessionBody, storedSession } from '../harness/fake-backend.ts'
import { fakeSockets } from '../harness/fake-socket.ts'

const KEY = 'sb-harbour-auth-token'

test('a topic joined before the switch uses the token of the signed-in user', async () => {
  const stored = storedSession('first')
  let reads = 0
  let letRead = () => {}
  const read = new Promise<void>(resolve => (letRead = resolve))
  const storage: SessionStorage = {
    async getItem(key) {
      // The first read finds the other user; the session machine's own read, which decides, takes longer.
      if (key === KEY && reads++ === 2) await read
      return stored.getItem(key)
    },
    setItem: (key, value) => stored.setItem(key, value),
    removeItem: key => stored.removeItem(key),
  }
  const { WebSocket, sockets } = fakeSockets()
  const { client } = startClient({}, { storage, WebSocket })
  /** Every token that was set, with its topic and method. */
  const eventsOf = () =>
    (sockets[0]?.sent ?? []).flatMap(([, , topic, event, payload]) => {
      const { access_token } = payload as { access_token?: string }
      return access_token === undefined ? [] : [[event, topic, access_token]]
    })
  const joined = async (topic: string) => {
    await expect.poll(() => client.status().channels[topic]?.phase).toBe('joined')
  }
  client.channel('bridge')
  await joined('bridge')
  const mate = {
    ...sessionBody('mate'),
    user: { id: 'mate-id', aud: 'authenticated' },
    received_at: Date.now(),
  }
  await stored.setItem(KEY, JSON.stringify(mate))
  void client.auth.refresh()
  await expect.poll(() => reads).toBe(3)
  client.channel('galley')
  await joined('galley')
  await new Promise(resolve => setImmediate(resolve))
  expect(eventsOf()).toEqual([
    ['phx_join', 'realtime:bridge', jwt('first')],
    ['phx_join', 'realtime:galley', jwt('first')],
  ])
  letRead()
})
