// Requests that supabase-js has no method for, and the ids that identify requests in a recording.
import { expect, test } from 'vitest'
import { startClient } from '../harness/client.ts'
import { json, jwt, KEY, storedSession } from '../harness/fake-backend.ts'

test("fetch sends the user's token and the key and returns the whole response", async () => {
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

test('functions never receive a publishable key as bearer, like from supabase-js', async () => {
  const legacy = jwt('anon')
  for (const [key, bearer] of [
    [KEY, null],
    ['sb_temp_harbour_0123456789', 'Bearer sb_temp_harbour_0123456789'],
    [legacy, `Bearer ${legacy}`],
  ] as const) {
    const { client, requests } = startClient({}, { key })
    await client.fetch('/functions/v1/tide')
    await client.fetch('/functions/v1/tide', {}, { access: 'public' })
    await client.supabase.functions.invoke('tide')
    expect(requests.map(({ apikey, authorization }) => [apikey, authorization])).toEqual(
      Array.from({ length: 3 }, () => [key, bearer]),
    )
  }
  const { client, requests } = startClient({}, { storage: storedSession('first') })
  await client.fetch('/functions/v1/tide')
  await client.fetch('/functions/v1/tide', { headers: { authorization: 'Bearer theirs' } })
  expect(requests.map(({ authorization }) => authorization)).toEqual([
    `Bearer ${jwt('first')}`,
    'Bearer theirs',
  ])
})

test('the token is sent only to the backend: a path that is not a path is rejected', () => {
  const { client, requests } = startClient({}, { storage: storedSession('first') })
  for (const path of ['@evil.test/', '.evil.test/', 'https://evil.test/', ''])
    expect(() => client.fetch(path)).toThrow('The path must begin with a slash')
  expect(requests).toEqual([])
})

test('each request reports its id when it starts, and listening clients are not shared', async () => {
  const { client } = startClient({ 'GET /rest/v1/vessels': () => json([]) })
  const ids: string[] = []
  const onStart = (id: string) => void ids.push(id)
  await client.with({ onStart }).from('vessels').select()
  await client.supabase.from('vessels').select()
  await client.fetch('/rest/v1/vessels', {}, { onStart })
  expect(ids).toEqual(['1', '3'])
  expect(client.with({ onStart })).not.toBe(client.with({ onStart: () => undefined }))
})
