// `chartroom/query` with TanStack Query itself: what is sent, cached, aborted and thrown.
import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { expect, test } from 'vitest'
import { RequestError } from '../../src/public/index.ts'
import { forgetOtherUsers, requestOptions } from '../../src/public/query.ts'
import { credentials, signIn, startClient, type TestOptions } from '../harness/client.ts'
import { atTestEnd } from '../harness/endings.ts'
import { type Answer, json, jwt, sessionBody, storedSession } from '../harness/fake-backend.ts'

const ROWS = 'GET /rest/v1/vessels'

function start(routes: Readonly<Record<string, Answer>>, options: TestOptions = {}) {
  const { client, requests } = startClient({ ...signIn, ...routes }, options)
  const queries = new QueryClient()
  queries.mount()
  atTestEnd(() => {
    queries.clear()
    queries.unmount()
  })
  const options_ = () =>
    requestOptions(client, ['vessels', 1], supabase => supabase.from('vessels').select('name'))
  const sent = () => requests.filter(({ path }) => path.startsWith('/rest/'))
  return { client, queries, options: options_, sent }
}

test('loads as the signed-in user, once for concurrent queries, and keeps the data under that user', async () => {
  const { client, queries, options, sent } = start({ [ROWS]: () => json([{ name: 'Fulmar' }]) })
  await client.auth.signInWithPassword(credentials)
  expect(options().queryKey).toEqual(['chartroom', 'skipper-id', 'vessels', 1])
  const both = await Promise.all([queries.fetchQuery(options()), queries.fetchQuery(options())])
  expect(both).toEqual([[{ name: 'Fulmar' }], [{ name: 'Fulmar' }]])
  expect(sent().map(({ authorization }) => authorization)).toEqual([`Bearer ${jwt('first')}`])
  expect(queries.getQueryData(['chartroom', 'skipper-id', 'vessels', 1])).toEqual([{ name: 'Fulmar' }])
})

test('fails with a readable reason, and TanStack Query does not repeat what the client has repeated', async () => {
  const { client, queries, options, sent } = start({
    [ROWS]: () => json({ code: '42501', message: 'permission denied for table vessels' }, 403),
  })
  await client.auth.signInWithPassword(credentials)
  const error = await queries.fetchQuery(options()).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(RequestError)
  expect(error).toMatchObject({
    failure: { kind: 'forbidden', code: '42501', status: 403 },
    message: (error as RequestError).failure.message,
  })
  expect(sent().length).toBe(1)
})

test('a failed read is tried three times, by the client', async () => {
  const { client, queries, options, sent } = start(
    { [ROWS]: () => Promise.reject(new TypeError('fetch failed')) },
    { timings: { backoffMin: 1, backoffMax: 2 } },
  )
  await client.auth.signInWithPassword(credentials)
  await expect(queries.fetchQuery(options())).rejects.toMatchObject({ failure: { kind: 'network' } })
  expect(sent().length).toBe(3)
})

test('a query without observers aborts its request', async () => {
  const { client, queries, options, sent } = start({ [ROWS]: () => new Promise(() => undefined) })
  await client.auth.signInWithPassword(credentials)
  const stop = new QueryObserver(queries, options()).subscribe(() => undefined)
  await expect.poll(() => sent().length).toBe(1)
  expect(client.status().requests.sending).toBe(1)
  stop()
  await expect.poll(() => client.status().requests.sending).toBe(0)
})

test('until the session is known, nothing is sent', async () => {
  const stored = storedSession('first')
  let letRead: () => void = () => undefined
  const read = new Promise<void>(resolve => (letRead = resolve))
  const storage = {
    ...stored,
    async getItem(key: string) {
      await read
      return stored.getItem(key)
    },
  }
  const { client, queries, options, sent } = start({ [ROWS]: () => json([]) }, { storage })
  expect(options()).toMatchObject({ queryKey: ['chartroom', null, 'vessels', 1], enabled: false })
  await expect(queries.fetchQuery(options())).rejects.toMatchObject({ failure: { code: 'not_ready' } })
  letRead()
  await expect.poll(() => client.status().session.phase).toBe('authenticated')
  expect(await queries.fetchQuery(options())).toEqual([])
  expect(sent().map(({ authorization }) => authorization)).toEqual([`Bearer ${jwt('first')}`])
})

test('another user: options of the last one send nothing, and cached data is not shared', async () => {
  let user = 'first'
  const { client, queries, options, sent } = start({
    [ROWS]: ({ authorization }) =>
      json([{ name: authorization === `Bearer ${jwt('first')}` ? 'of the skipper' : 'of the mate' }]),
    'POST /auth/v1/token?grant_type=password': () => {
      const body = sessionBody(user)
      return json(user === 'first' ? body : { ...body, user: { ...body.user, id: 'mate-id' } })
    },
    'POST /auth/v1/logout': () => new Response(null, { status: 204 }),
  })
  atTestEnd(forgetOtherUsers(client, queries))
  await client.auth.signInWithPassword(credentials)
  const before = options()
  const shown = new QueryObserver(queries, before)
  atTestEnd(shown.subscribe(() => undefined))
  await expect.poll(() => shown.getCurrentResult().data).toEqual([{ name: 'of the skipper' }])
  await client.auth.signOut()
  user = 'mate'
  await client.auth.signInWithPassword(credentials)
  await expect.poll(() => shown.getCurrentResult().data).toBe(undefined)
  const asked = sent().length
  await expect(queries.fetchQuery({ ...before, staleTime: 0 })).rejects.toMatchObject({
    failure: { code: 'session_ended' },
  })
  expect(sent().length).toBe(asked)
  expect(await queries.fetchQuery(options())).toEqual([{ name: 'of the mate' }])
  expect(
    JSON.stringify(
      queries
        .getQueryCache()
        .getAll()
        .map(({ state }) => state.data ?? null),
    ),
  ).not.toContain('skipper')
})
