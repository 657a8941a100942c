// The hooks under StrictMode and concurrent rendering: what they show, how often, and that they leave nothing behind.
import { act } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { ChartroomProvider, useChannel, useRequest, useSession, useStatus } from '../../src/public/react.ts'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { json, jwt, storedSession, type Answer, type Asked } from '../harness/fake-backend.ts'
import { eventually, renderPage } from '../harness/react.tsx'

const NEVER: Answer = () => new Promise(() => {})
const quiet = { waiting: 0, sending: 0, queued: 0, receiving: 0 }
const vessels = (client: ChartroomClient) => client.status().requests

const restCalls = (asked: readonly Asked[]) =>
  asked
    .filter(({ path }) => path.startsWith('/rest/'))
    .map(({ method, authorization }) => `${method} ${authorization}`)

/** A socket that neither opens nor fails. */
class Silence extends EventTarget {
  readyState = 0
  close() {}
  send() {}
}
const WebSocket = Silence as unknown as typeof globalThis.WebSocket

function Vessels({ table = 'vessels' }: { readonly table?: string }) {
  const { phase, data, reload } = useRequest([table], supabase => supabase.from(table).select('name'))
  return (
    <button type="button" onClick={reload}>
      {phase} {JSON.stringify(data)}
    </button>
  )
}

describe('status', () => {
  test('a component renders again only when its own part changed', async () => {
    const { client } = startClient({ ...signIn, 'GET /rest/v1/vessels': NEVER })
    const renders: string[] = []
    function Phase() {
      const phase = useStatus(({ session }) => ({ phase: session.phase }))
      renders.push(phase.phase)
      return phase.phase
    }
    const page = await renderPage(client, <Phase />)
    await eventually(() => expect(page.text()).toBe('signedOut'))
    const before = renders.length
    const reported: number[] = []
    client.onStatus(({ requests }) => void reported.push(requests.sending))
    void Promise.resolve(client.supabase.from('vessels').select())
    await eventually(() => expect(reported).toEqual([1]))
    expect(renders.slice(before)).toEqual([])
    await act(() => client.auth.signInWithPassword(credentials).then(() => undefined))
    await eventually(() => expect(page.text()).toBe('authenticated'))
  })

  test('a server renders the unknown status, and starts nothing', () => {
    const { client, requests } = startClient()
    function Everything() {
      useRequest('vessels', supabase => supabase.from('vessels').select())
      useChannel('bridge')
      return useSession().phase
    }
    const html = renderToString(
      <ChartroomProvider client={client}>
        <Everything />
      </ChartroomProvider>,
    )
    expect({ html, asked: requests, channels: client.status().channels }).toEqual({
      html: 'booting',
      asked: [],
      channels: {},
    })
  })
})

describe('useRequest', () => {
  test('shows the response, and on reload keeps it until the next one', async () => {
    const later = Promise.withResolvers<Response>()
    const answers = [json([{ name: 'Fulmar' }]), later.promise]
    const { client } = startClient({ 'GET /rest/v1/vessels': () => answers.shift() ?? json([]) })
    const page = await renderPage(client, <Vessels />)
    await eventually(() => expect(page.text()).toBe('done [{"name":"Fulmar"}]'))
    await page.click()
    expect(page.text()).toBe('pending [{"name":"Fulmar"}]')
    later.resolve(json([{ name: 'Heron' }]))
    await eventually(() => expect(page.text()).toBe('done [{"name":"Heron"}]'))
  })

  test('fails with the error of the response', async () => {
    const { client } = startClient({
      'GET /rest/v1/vessels': () => json({ message: 'no such table', code: '42P01' }, 404),
    })
    function Failing() {
      const { phase, error } = useRequest('v', supabase => supabase.from('vessels').select())
      return `${phase} ${error instanceof Error ? error.message : ''}`
    }
    const page = await renderPage(client, <Failing />)
    await eventually(() => expect(page.text()).toBe('failed no such table'))
  })

  test('a response without data replaces the previous one', async () => {
    const answers = [[{ name: 'Fulmar' }], []]
    const { client } = startClient({ 'GET /rest/v1/vessels': () => json(answers.shift() ?? []) })
    function One() {
      const { phase, data, reload } = useRequest('v', supabase =>
        supabase.from('vessels').select('name').maybeSingle(),
      )
      return (
        <button type="button" onClick={reload}>
          {phase} {JSON.stringify(data)}
        </button>
      )
    }
    const page = await renderPage(client, <One />)
    await eventually(() => expect(page.text()).toBe('done {"name":"Fulmar"}'))
    await page.click()
    await eventually(() => expect(page.text()).toBe('done null'))
  })

  test('a page opened by a signed-in user sends one request, when the boot is over', async () => {
    const storage = storedSession('first')
    const boot = Promise.withResolvers<void>()
    const slow = { ...storage, getItem: (key: string) => boot.promise.then(() => storage.getItem(key)) }
    const { client, requests } = startClient({ 'GET /rest/v1/vessels': () => json([]) }, { storage: slow })
    const page = await renderPage(client, <Vessels />)
    expect({ text: page.text(), requests: vessels(client) }).toEqual({ text: 'pending ', requests: quiet })
    await act(async () => boot.resolve())
    await eventually(() => expect(page.text()).toBe('done []'))
    expect(restCalls(requests)).toEqual([`GET Bearer ${jwt('first')}`])
  })

  test("one user's data is removed when another signs in", async () => {
    let n = 0
    const { client } = startClient({ ...signIn, 'GET /rest/v1/vessels': () => json([++n]) })
    const shown: string[] = []
    function Log() {
      const { phase, data } = useRequest('v', supabase => supabase.from('vessels').select())
      const session = useSession()
      shown.push(`${session.phase} ${phase} ${JSON.stringify(data)}`)
      return phase
    }
    const page = await renderPage(client, <Log />)
    await eventually(() => expect(page.text()).toBe('done'))
    const before = n
    await act(() => client.auth.signInWithPassword(credentials).then(() => undefined))
    await eventually(() => expect(shown.at(-1)).toBe(`authenticated done [${before + 1}]`))
    expect(shown.filter(line => line === `authenticated done [${before}]`)).toEqual([])
  })

  test('aborts when superseded and on unmount; no request is left', async () => {
    const { client, requests } = startClient({ 'GET /rest/v1/': NEVER })
    const page = await renderPage(client, <Vessels />)
    await eventually(() => expect(vessels(client)).toEqual({ ...quiet, sending: 1 }))
    await page.show(<Vessels table="voyages" />)
    await eventually(() => expect(requests.at(-1)?.path).toBe('/rest/v1/voyages?select=name'))
    await eventually(() => expect(vessels(client)).toEqual({ ...quiet, sending: 1 }))
    await page.show(null)
    await eventually(() => expect(vessels(client)).toEqual(quiet))
  })
})

describe('useChannel', () => {
  test('is left on unmount, with or without StrictMode', async () => {
    const { client } = startClient({}, { WebSocket })
    const Bridge = () => useChannel('bridge').status.phase
    const page = await renderPage(client, <Bridge />)
    await eventually(() => expect(Object.keys(client.status().channels)).toEqual(['bridge']))
    await page.show(null)
    await eventually(() => expect(client.status().channels).toEqual({}))
  })
})
