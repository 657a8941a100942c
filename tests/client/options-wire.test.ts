// Each option of createClient on the wire: what the official client sends, and that ours sends the same.
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type ChartroomOptions, createChartroomClient } from '../../src/public/index.ts'
import { memoryStorage } from '../../src/services/client/auth/session-store.ts'
import { jwt, KEY, URL_BASE } from '../harness/fake-backend.ts'
import { watchedClient } from '../harness/client.ts'

const THIRD_PARTY = jwt('third-party')

type Options = Omit<ChartroomOptions, 'url' | 'key'>
type Use = (supabase: SupabaseClient) => PromiseLike<unknown>

/** Runs the same code on both clients and returns the headers and addresses that each sent. */
async function sentByBoth(options: Options, perform: Use, names: readonly string[]) {
  const sent = async (make: (fetch: typeof globalThis.fetch) => SupabaseClient) => {
    const requests: Record<string, string | null>[] = []
    const supabase = make((input, init) => {
      const { url, headers, method } = new Request(input, init)
      const listed = names.map(name => [name, headers.get(name)] as const)
      requests.push({ call: `${method} ${url}`, ...Object.fromEntries(listed) })
      return Promise.resolve(Response.json([]))
    })
    await perform(supabase)
    return requests
  }
  const global = { ...options.global }
  return {
    official: await sent(fetch =>
      createClient(URL_BASE, KEY, { ...(options as object), global: { ...global, fetch } }),
    ),
    ours: await sent(fetch => {
      const client = createChartroomClient(URL_BASE, KEY, { ...options, global: { ...global, fetch } })
      onTestFinished(() => client.dispose())
      return client.supabase as SupabaseClient
    }),
  }
}

const rows: Use = supabase => supabase.from('vessels').select()

test('accessToken: its token is sent with every request', async () => {
  const accessToken = vi.fn<() => Promise<string>>(() => Promise.resolve(THIRD_PARTY))
  const { official, ours } = await sentByBoth(
    { accessToken },
    async supabase => {
      await rows(supabase)
      await supabase.storage.from('charts').list()
      await supabase.functions.invoke('tide')
    },
    ['authorization', 'apikey'],
  )
  expect(ours).toEqual(official)
  expect(ours.map(({ authorization }) => authorization)).toEqual(Array(3).fill(`Bearer ${THIRD_PARTY}`))
})

test('db.schema: queries go to that schema', async () => {
  const { official, ours } = await sentByBoth({ db: { schema: 'api' } }, rows, ['accept-profile'])
  expect(ours).toEqual(official)
  expect(ours).toMatchObject([{ 'accept-profile': 'api' }])
})

test('global.headers: sent with every request', async () => {
  const { official, ours } = await sentByBoth(
    { global: { headers: { 'x-tenant': '42' } } },
    async supabase => {
      await rows(supabase)
      await supabase.storage.from('charts').list()
      await supabase.auth.signInWithPassword({ email: 'a@b.test', password: 'harbour-demo' })
    },
    ['x-tenant'],
  )
  expect(ours).toEqual(official)
  expect(ours.map(request => request['x-tenant'])).toEqual(['42', '42', '42'])
})

test('auth.persistSession: false keeps the session in memory', async () => {
  const storage = memoryStorage()
  const set = vi.spyOn(storage, 'setItem')
  const client = watchedClient({
    url: URL_BASE,
    key: KEY,
    auth: { storage, persistSession: false },
    global: { fetch: () => Promise.resolve(Response.json({})) },
  })
  await client.supabase.auth.signInWithOAuth({ provider: 'github', options: { skipBrowserRedirect: true } })
  expect(set).not.toHaveBeenCalled()
})
