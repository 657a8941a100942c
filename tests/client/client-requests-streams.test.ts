// Streaming in both directions: request bodies that can be sent once, and responses that are read
// incrementally.
import { describe, expect, test, vi } from 'vitest'
import { startClient } from '../harness/client.ts'
import { json, jwt, sessionBody, storedSession } from '../harness/fake-backend.ts'
import { RequestError } from '../../src/public/index.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** An event stream whose data the test emits. */
function events() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let cancelled: unknown
  const stream = new ReadableStream<Uint8Array>({
    start: own => {
      controller = own
    },
    cancel: reason => {
      cancelled = reason ?? true
    },
  })
  return {
    response: () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
    send: (text: string) => controller?.enqueue(bytes(text)),
    end: () => controller?.close(),
    breakOff: () => controller?.error(new TypeError('terminated')),
    cancelled: () => cancelled,
  }
}

async function listening(source: ReturnType<typeof events>, timings = {}) {
  const { client } = startClient({ 'POST /functions/v1/watch': source.response }, { timings })
  const { data } = await client.supabase.functions.invoke<Response>('watch')
  const reader = data?.body?.getReader()
  if (!reader) throw new Error('there is no body')
  const receiving = () => client.status().requests.receiving
  const next = async () => {
    const { done, value } = await reader.read()
    return done ? 'end' : new TextDecoder().decode(value)
  }
  return { client, reader, receiving, next }
}

describe('an event stream', () => {
  test('is returned with its headers, read incrementally and tracked to its end', async () => {
    const source = events()
    const { client, next, receiving } = await listening(source)
    expect(receiving()).toBe(1)
    source.send('data: one\n\n')
    expect(await next()).toBe('data: one\n\n')
    source.send('data: two\n\n')
    source.end()
    expect([await next(), receiving(), await next()]).toEqual(['data: two\n\n', 1, 'end'])
    await vi.waitFor(() => expect(receiving()).toBe(0))
    expect(client.recording.trace.steps.findLast(({ event }) => event.type === 'body.ended')?.event).toEqual({
      type: 'body.ended',
      bytes: 22,
    })
  })

  test('reports a failure with text when it breaks off', async () => {
    const source = events()
    const { next, receiving } = await listening(source)
    source.breakOff()
    await expect(next()).rejects.toEqual(
      new RequestError({
        kind: 'network',
        message: 'The connection broke before the response was complete.',
      }),
    )
    expect(receiving()).toBe(0)
  })

  test('fails as stalled when no data arrives while it is read', async () => {
    const source = events()
    const { next } = await listening(source, { bodyCheck: 20 })
    await expect(next()).rejects.toMatchObject({ failure: { kind: 'timeout', code: 'stalled' } })
  })

  test('is no longer tracked when it is not read, and can still be read', async () => {
    const source = events()
    const { next, receiving } = await listening(source, { bodyCheck: 20 })
    await vi.waitFor(() => expect(receiving()).toBe(0))
    source.send('late')
    source.end()
    expect([await next(), await next()]).toEqual(['late', 'end'])
  })

  test('is canceled at the source when its reader cancels', async () => {
    const source = events()
    const { reader, receiving } = await listening(source)
    await reader.cancel('enough')
    expect(source.cancelled()).toBe('enough')
    await vi.waitFor(() => expect(receiving()).toBe(0))
  })

  test('ends with the client', async () => {
    const source = events()
    const { client, next } = await listening(source)
    const reading = next().catch((error: unknown) => error)
    await client.dispose()
    expect(await reading).toMatchObject({ failure: { kind: 'disposed' } })
  })

  test("ends with its user's session", async () => {
    const source = events()
    const { client } = startClient(
      { 'POST /functions/v1/watch': source.response, 'POST /auth/v1/logout': () => new Response(null) },
      { storage: storedSession('first') },
    )
    const { data } = await client.supabase.functions.invoke<Response>('watch')
    const reading = data?.text().catch((error: unknown) => error)
    await client.auth.signOut()
    expect(await reading).toMatchObject({ failure: { code: 'signed_out' } })
  })
})

test('of a download is an ordinary response', async () => {
  const { client } = startClient({
    'GET /storage/v1/object/charts/a.txt': () =>
      new Response('fathoms', { headers: { 'content-type': 'text/plain' } }),
  })
  const { data } = await client.supabase.storage.from('charts').download('a.txt')
  expect([await data?.text(), data?.type]).toEqual(['fathoms', 'text/plain'])
  await vi.waitFor(() => expect(client.status().requests.receiving).toBe(0))
})

test('of a plain, fully read response has its size recorded', async () => {
  const { client } = startClient({ 'GET /rest/v1/vessels': () => json([{ id: 1 }]) })
  await client.supabase.from('vessels').select()
  const { steps } = client.recording.trace
  expect(steps.findLast(({ event }) => event.type === 'send.answered')?.event).toEqual({
    type: 'send.answered',
    status: 200,
    bytes: 10,
  })
})

describe('a request body that is a stream', () => {
  const body = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes('soundings'))
        controller.close()
      },
    })

  test('is sent as a stream', async () => {
    const { client, requests } = startClient()
    await client.supabase.storage.from('charts').upload('a.txt', body())
    expect(requests.map(call => call.body)).toEqual(['soundings'])
  })

  test('is not sent again after a rejected token: refreshes, and the failure says why', async () => {
    const { client, requests } = startClient(
      {
        'POST /auth/v1/token?grant_type=refresh_token': () => json(sessionBody('second')),
        'POST /storage/v1/object/charts/a.txt': () =>
          json({ statusCode: '400', code: 'InvalidJWT', error: 'InvalidJWT', message: 'jwt expired' }, 400),
      },
      { storage: storedSession('first') },
    )
    const { error } = await client.supabase.storage.from('charts').upload('a.txt', body())
    expect(error).toMatchObject({ originalError: { failure: { kind: 'auth', code: 'body_spent' } } })
    await client.supabase.storage.from('charts').list()
    expect(requests.map(({ authorization }) => authorization).at(-1)).toBe(`Bearer ${jwt('second')}`)
    expect(requests.filter(({ path }) => path.endsWith('a.txt')).length).toBe(1)
  })
})
