// The hooks under StrictMode and concurrent rendering: what they show, how often, and that they leave nothing behind.
import { act, Component, startTransition, Suspense, useState, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { ChartroomClient } from '../../src/index.ts'
import {
  ChartroomProvider,
  useChannel,
  useRequest,
  useSession,
  useStatus,
  useSuspenseRequest,
} from '../../src/ui/react.ts'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { json, type Answer } from '../harness/fake-backend.ts'
import { eventually, renderPage } from '../harness/react.tsx'

const NEVER: Answer = () => new Promise(() => {})
const quiet = { waiting: 0, sending: 0, queued: 0, receiving: 0 }
const vessels = (client: ChartroomClient) => client.status().requests

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

function SuspendedVessels({ table = 'vessels' }: { readonly table?: string }) {
  const { data } = useSuspenseRequest([table], supabase => supabase.from(table).select('name'))
  return <p>{JSON.stringify(data)}</p>
}

class Catch extends Component<{ readonly children: ReactNode }, { readonly message?: string }> {
  override state: { readonly message?: string } = {}
  static getDerivedStateFromError = ({ message }: Error) => ({ message })
  override render() {
    return this.state.message ?? this.props.children
  }
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
    const told: number[] = []
    client.onStatus(({ requests }) => void told.push(requests.sending))
    void Promise.resolve(client.supabase.from('vessels').select())
    await eventually(() => expect(told).toEqual([1]))
    expect(renders.slice(before)).toEqual([])
    await act(() => client.auth.signInWithPassword(credentials).then(() => undefined))
    await eventually(() => expect(page.text()).toBe('authenticated'))
  })

  test('a server renders what nobody knows yet, and starts nothing', () => {
    const { client, asked } = startClient()
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
    expect({ html, asked, channels: client.status().channels }).toEqual({
      html: 'booting',
      asked: [],
      channels: {},
    })
  })
})

describe('useRequest', () => {
  test('shows the answer, and asks again on reload with what it had still there', async () => {
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

  test('fails with the error of the answer', async () => {
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

  test('what one user was shown is gone when another is there', async () => {
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

  test('aborts when superseded and when it goes away; no request is left', async () => {
    const { client, asked } = startClient({ 'GET /rest/v1/': NEVER })
    const page = await renderPage(client, <Vessels />)
    await eventually(() => expect(vessels(client)).toEqual({ ...quiet, sending: 1 }))
    await page.show(<Vessels table="voyages" />)
    await eventually(() => expect(asked.at(-1)?.path).toBe('/rest/v1/voyages?select=name'))
    await eventually(() => expect(vessels(client)).toEqual({ ...quiet, sending: 1 }))
    await page.show(null)
    await eventually(() => expect(vessels(client)).toEqual(quiet))
  })
})

describe('useSuspenseRequest', () => {
  const harbour = (children: ReactNode) => (
    <Catch>
      <Suspense fallback="waiting">{children}</Suspense>
    </Catch>
  )

  test('suspends, shows the answer, and equal keys share one request', async () => {
    const { client, asked } = startClient({ 'GET /rest/v1/vessels': () => json([{ name: 'Fulmar' }]) })
    const page = await renderPage(
      client,
      harbour(
        <>
          <SuspendedVessels />
          <SuspendedVessels />
        </>,
      ),
    )
    await eventually(() => expect(page.text()).toBe('[{"name":"Fulmar"}][{"name":"Fulmar"}]'))
    // StrictMode mounts everything twice, and the first of the two is aborted before it is sent or as it is.
    expect(asked.length).toBeLessThanOrEqual(2)
  })

  test('an error reaches the error boundary', async () => {
    const { client } = startClient({ 'GET /rest/v1/vessels': () => json({ message: 'no such table' }, 404) })
    const page = await renderPage(client, harbour(<SuspendedVessels />))
    await eventually(() => expect(page.text()).toBe('no such table'))
  })

  test('renders that are still suspended when the page goes leave no request and no channel behind', async () => {
    const { client } = startClient({ 'GET /rest/v1/': NEVER }, { WebSocket })
    function Bridge({ table }: { readonly table: string }) {
      useChannel('bridge')
      return <SuspendedVessels table={table} />
    }
    function Switching() {
      const [table, setTable] = useState('vessels')
      const change = () => startTransition(() => setTable('voyages'))
      return (
        <>
          <button type="button" onClick={change}>
            voyages
          </button>
          {harbour(<Bridge table={table} />)}
        </>
      )
    }
    const page = await renderPage(client, <Switching />)
    await eventually(() => expect(vessels(client)).toEqual({ ...quiet, sending: 1 }))
    await page.click()
    expect(page.text()).toBe('voyageswaiting')
    await page.unmount()
    await eventually(() => expect(client.status()).toMatchObject({ requests: quiet, channels: {} }))
  })

  test('a page that is thrown away before it is mounted has asked for nothing', async () => {
    const { client, asked } = startClient({}, { WebSocket })
    function Broken(): ReactNode {
      throw new Error('gone')
    }
    const page = await renderPage(
      client,
      <Catch>
        <ChartroomProvider client={client}>
          <SuspendedVessels />
          <Broken />
        </ChartroomProvider>
      </Catch>,
    )
    expect(page.text()).toBe('gone')
    expect({ asked, requests: vessels(client) }).toEqual({ asked: [], requests: quiet })
  })
})

describe('useChannel', () => {
  test('is left when the component goes away, StrictMode or not', async () => {
    const { client } = startClient({}, { WebSocket })
    const Bridge = () => useChannel('bridge').status.phase
    const page = await renderPage(client, <Bridge />)
    await eventually(() => expect(Object.keys(client.status().channels)).toEqual(['bridge']))
    await page.show(null)
    await eventually(() => expect(client.status().channels).toEqual({}))
  })
})
