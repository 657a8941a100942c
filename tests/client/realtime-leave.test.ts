// A join that is over does not affect the next one.
import { expect, test } from 'vitest'
import { startClient } from '../harness/client.ts'
import { json, jwt, sessionBody, storedSession } from '../harness/fake-backend.ts'
import { fakeSockets } from '../harness/fake-socket.ts'

test('a topic closed for a replaced token joins again with the new one', async () => {
  const { WebSocket, sockets } = fakeSockets()
  const { client, requests } = startClient(
    { 'POST /auth/v1/token?grant_type=refresh_token': (_, n) => json(sessionBody(`next-${n}`)) },
    { storage: storedSession('first'), WebSocket },
  )
  const joins = () =>
    (sockets[0]?.sent ?? [])
      .filter(([, , , event]) => event === 'phx_join')
      .map(([ref, , , , payload]) => ({ ref, token: (payload as { access_token?: string }).access_token }))
  const joined = async (times: number) => {
    await expect
      .poll(() => [client.status().channels['bridge']?.phase, joins().length])
      .toEqual(['joined', times])
  }
  client.channel('bridge')
  await joined(1)
  await client.auth.refresh()
  const [{ ref } = { ref: null }] = joins()
  const word = {
    extension: 'system',
    status: 'error',
    message: 'Token has expired 3 seconds ago',
    channel: 'bridge',
  }
  sockets[0]?.deliver([ref, null, 'realtime:bridge', 'system', word])
  sockets[0]?.deliver([ref, ref, 'realtime:bridge', 'phx_close', {}])
  await joined(2)
  expect(joins().map(({ token }) => token)).toEqual([jwt('first'), jwt('next-1')])
  expect(requests.filter(({ path }) => path.includes('refresh_token'))).toHaveLength(1)
})
