// Calls that supabase-js has no method for, and the ids under which calls are found in a recording.
import { expect, test } from 'vitest'
import { startClient } from '../harness/client.ts'
import { json, jwt, KEY, storedSession } from '../harness/fake-backend.ts'

test('goes out as the user, with the key, and gives the whole answer', async () => {
  const headers: (string | null)[][] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    const sent = new Headers(init?.headers)
    headers.push([
      input instanceof Request ? input.url : input.toString(),
      init?.method ?? 'GET',
      sent.get('apikey'),
      sent.get('authorization'),
      sent.get('x-own'),
    ])
    return Promise.resolve(json({ code: '22P02' }, 400))
  }
  const { client } = startClient({}, { fetch, storage: storedSession('first') })
  const response = await client.fetch('/rest/v1/rpc/tides?port=1', { headers: { 'x-own': '1' } })
  expect([response.status, await response.json()]).toEqual([400, { code: '22P02' }])
  await client.fetch('/rest/v1/vessels', { method: 'POST', body: '{}' }, { access: 'public' })
  expect(headers).toEqual([
    [`${client.url}/rest/v1/rpc/tides?port=1`, 'GET', KEY, `Bearer ${jwt('first')}`, '1'],
    [`${client.url}/rest/v1/vessels`, 'POST', KEY, `Bearer ${KEY}`, null],
  ])
})

test('the token goes to the backend alone: a path that is none is refused', () => {
  const { client, asked } = startClient({}, { storage: storedSession('first') })
  for (const path of ['@evil.test/', '.evil.test/', 'https://evil.test/', ''])
    expect(() => client.fetch(path)).toThrow('The path must begin with a slash')
  expect(asked).toEqual([])
})

test('each call tells its id as it starts, and clients that listen are not shared', async () => {
  const { client } = startClient({ 'GET /rest/v1/vessels': () => json([]) })
  const ids: string[] = []
  const onStart = (id: string) => void ids.push(id)
  await client.with({ onStart }).from('vessels').select()
  await client.supabase.from('vessels').select()
  await client.fetch('/rest/v1/vessels', {}, { onStart })
  expect(ids).toEqual(['1', '3'])
  expect(client.with({ onStart })).not.toBe(client.with({ onStart: () => undefined }))
})
