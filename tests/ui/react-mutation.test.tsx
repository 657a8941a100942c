// `useMutation`: what it shows of a write, and what it says about one that failed.
import { act, StrictMode, useEffect, useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import type { ChartroomClient, Result } from '../../src/public/index.ts'
import { useMutation, useRequest } from '../../src/public/react.ts'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { json, storedSession, type Answer } from '../harness/fake-backend.ts'
import { eventually, renderPage } from '../harness/react.tsx'

const ADD = 'POST /rest/v1/vessels'
const row = [{ id: 7, name: 'Fulmar' }]
const lost: Answer = () => Promise.reject(new TypeError('fetch failed'))

/** Shows the state of a write, and keeps what `mutate` resolved with. */
function scene(access?: 'user' | 'public') {
  const results: Result<unknown>[] = []
  const renders: string[] = []
  const shown: { reset?: () => void } = {}
  function Add() {
    const add = useMutation(
      (supabase, name: string) => supabase.from('vessels').insert({ name }).select(),
      access && { access },
    )
    useEffect(() => {
      shown.reset = add.reset
    })
    const { phase, waitsFor, outcome, failure, data } = add
    const text = [phase, waitsFor, outcome, failure?.kind, failure?.code, data && JSON.stringify(data)]
      .filter(Boolean)
      .join(' ')
    renders.push(text)
    return (
      <button type="button" onClick={() => void add.mutate('Fulmar').then(result => results.push(result))}>
        {text}
      </button>
    )
  }
  return { Add, results, renders, reset: () => act(async () => shown.reset?.()) }
}

const writes = (requests: readonly { readonly method: string }[]) =>
  requests.filter(({ method }) => method === 'POST').length

const started = async (client: ChartroomClient) => {
  await act(() => client.auth.signInWithPassword(credentials).then(() => undefined))
}

test('is sent once per call, also under StrictMode, and shows its data', async () => {
  const later = Promise.withResolvers<Response>()
  const { client, requests } = startClient({ ...signIn, [ADD]: () => later.promise })
  await started(client)
  const { Add, results, renders } = scene()
  const page = await renderPage(client, <Add />)
  expect(page.text()).toBe('idle')
  await page.click()
  expect(page.text()).toBe('pending')
  later.resolve(json(row, 201))
  await eventually(() => expect(page.text()).toBe('done [{"id":7,"name":"Fulmar"}]'))
  expect(results).toEqual([{ ok: true, value: row }])
  expect(requests.filter(({ path }) => path.startsWith('/rest/')).map(({ body }) => body)).toEqual([
    '{"name":"Fulmar"}',
  ])
  expect([...new Set(renders)]).toEqual(['idle', 'pending', 'done [{"id":7,"name":"Fulmar"}]'])
})

describe('what is known of a write that failed', () => {
  test.each<[string, Answer, string]>([
    [
      'the database refused it',
      () => json({ code: '23505', message: 'duplicate key' }, 409),
      'failed refused conflict 23505',
    ],
    [
      'a policy refused it',
      () => json({ code: '42501', message: 'no' }, 403),
      'failed refused forbidden 42501',
    ],
    ['the function of the database failed', () => json({ message: 'oh' }, 500), 'failed refused server'],
    ['a gateway does not know', () => json({ message: 'oh' }, 502), 'failed unknown server'],
    ['no response arrived', lost, 'failed unknown network'],
  ])('%s', async (_name, answer, text) => {
    const { client, requests } = startClient({ ...signIn, [ADD]: answer })
    await started(client)
    const { Add, results, reset } = scene()
    const page = await renderPage(client, <Add />)
    await page.click()
    await eventually(() => expect(page.text()).toBe(text))
    expect(results).toMatchObject([{ ok: false, failure: { kind: text.split(' ')[2] } }])
    // It is not sent again on its own.
    expect(writes(requests.filter(({ path }) => path.startsWith('/rest/')))).toBe(1)
    await reset()
    expect(page.text()).toBe('idle')
  })

  test('no user is signed in', async () => {
    const { client, requests } = startClient()
    const { Add } = scene('user')
    const page = await renderPage(client, <Add />)
    await page.click()
    await eventually(() => expect(page.text()).toBe('failed notSent auth not_signed_in'))
    expect(writes(requests)).toBe(0)
  })

  test('offline, with an expired token', async () => {
    const { navigator } = globalThis
    vi.stubGlobal('navigator', { onLine: false })
    try {
      const { client, requests } = startClient(
        {},
        { storage: storedSession('old', { age: 7200 }), timings: { tokenTimeout: 50 } },
      )
      const { Add } = scene()
      const page = await renderPage(client, <Add />)
      await eventually(() => expect(client.status().session.phase).toBe('authenticated'))
      await page.click()
      expect(page.text()).toBe('pending token')
      await eventually(() => expect(page.text()).toBe('failed notSent network blocked_offline'))
      expect(requests).toEqual([])
    } finally {
      vi.stubGlobal('navigator', navigator)
    }
  })
})

test('before the session is known, it says what it waits for', async () => {
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
  const { client, requests } = startClient({ [ADD]: () => json(row, 201) }, { storage })
  const { Add } = scene()
  const page = await renderPage(client, <Add />)
  await page.click()
  expect(page.text()).toBe('pending session')
  expect(requests).toEqual([])
  letRead()
  await eventually(() => expect(page.text()).toBe('done [{"id":7,"name":"Fulmar"}]'))
  expect(requests[0]?.authorization).toContain('Bearer')
})

test('another user does not see the result of the last one', async () => {
  const { client } = startClient({
    ...signIn,
    [ADD]: () => json(row, 201),
    'POST /auth/v1/logout': () => new Response(null, { status: 204 }),
  })
  await started(client)
  const { Add } = scene()
  const page = await renderPage(client, <Add />)
  await page.click()
  await eventually(() => expect(page.text()).toContain('done'))
  await act(() => client.auth.signOut().then(() => undefined))
  await eventually(() => expect(page.text()).toBe('idle'))
})

test('continues when its component unmounts', async () => {
  const later = Promise.withResolvers<Response>()
  const { client, requests } = startClient({ ...signIn, [ADD]: () => later.promise })
  await started(client)
  const { Add, results } = scene()
  const page = await renderPage(client, <Add />)
  await page.click()
  await eventually(() => expect(requests.some(({ path }) => path.startsWith('/rest/'))).toBe(true))
  await page.show(null)
  later.resolve(json(row, 201))
  await eventually(() => expect(results).toEqual([{ ok: true, value: row }]))
})

test('two writes at once: the state is that of the last one', async () => {
  const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()]
  let n = 0
  const { client } = startClient({ ...signIn, [ADD]: () => answers[n++]?.promise ?? json([]) })
  await started(client)
  const { Add, results } = scene()
  const page = await renderPage(client, <Add />)
  await page.click()
  await page.click()
  answers[1]?.resolve(json([{ id: 2 }], 201))
  await eventually(() => expect(page.text()).toBe('done [{"id":2}]'))
  answers[0]?.resolve(json([{ id: 1 }], 201))
  await eventually(() => expect(results.length).toBe(2))
  expect(page.text()).toBe('done [{"id":2}]')
})

test('uses the latest function', async () => {
  const { client, requests } = startClient({ ...signIn, [ADD]: () => json(row, 201) })
  await started(client)
  function Add() {
    const [name, setName] = useState('first')
    const { mutate } = useMutation(supabase => supabase.from('vessels').insert({ name }))
    return (
      <button
        type="button"
        onClick={() => {
          void mutate(undefined)
          setName('second')
        }}
      >
        {name}
      </button>
    )
  }
  const page = await renderPage(
    client,
    <StrictMode>
      <Add />
    </StrictMode>,
  )
  await page.click()
  await page.click()
  await eventually(() => expect(writes(requests.filter(({ path }) => path.startsWith('/rest/')))).toBe(2))
  expect(requests.filter(({ path }) => path.startsWith('/rest/')).map(({ body }) => body)).toEqual([
    '{"name":"first"}',
    '{"name":"second"}',
  ])
})

test('a request that is refused has the failure of its response', async () => {
  const { client } = startClient({
    'GET /rest/v1/vessels': () => json({ code: '42501', message: 'permission denied' }, 403),
  })
  function Vessels() {
    const { failure } = useRequest('vessels', supabase => supabase.from('vessels').select())
    return `${failure?.kind} ${failure?.code} ${failure?.status}`
  }
  const page = await renderPage(client, <Vessels />)
  await eventually(() => expect(page.text()).toBe('forbidden 42501 403'))
})
