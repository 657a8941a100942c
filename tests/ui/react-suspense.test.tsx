// Suspending on a request under StrictMode: what is shown and requested, and that discarded renders leave
// nothing.
import { act, Component, Fragment, startTransition, Suspense, useState, type ReactNode } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { ChartroomProvider, useChannel, useSuspenseRequest } from '../../src/public/react.ts'
import { startClient } from '../harness/client.ts'
import { json, jwt, storedSession, type Answer } from '../harness/fake-backend.ts'
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

const harbour = (children: ReactNode) => (
  <Catch>
    <Suspense fallback="waiting">{children}</Suspense>
  </Catch>
)

test('suspends, shows the response, and equal keys share one request', async () => {
  const { client, requests } = startClient({ 'GET /rest/v1/vessels': () => json([{ name: 'Fulmar' }]) })
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
  expect(requests).toHaveLength(1)
})

test('a page opened by a signed-in user sends one request, when the boot is over', async () => {
  const storage = storedSession('first')
  const boot = Promise.withResolvers<void>()
  const slow = { ...storage, getItem: (key: string) => boot.promise.then(() => storage.getItem(key)) }
  const { client, requests } = startClient({ 'GET /rest/v1/vessels': () => json([]) }, { storage: slow })
  const page = await renderPage(client, harbour(<SuspendedVessels />))
  expect({ text: page.text(), requests: vessels(client) }).toEqual({ text: 'waiting', requests: quiet })
  await act(async () => boot.resolve())
  await eventually(() => expect(page.text()).toBe('[]'))
  const rest = requests.filter(({ path }) => path.startsWith('/rest/'))
  expect(rest.map(({ authorization }) => authorization)).toEqual([`Bearer ${jwt('first')}`])
})

test('an error reaches the error boundary', async () => {
  const { client } = startClient({ 'GET /rest/v1/vessels': () => json({ message: 'no such table' }, 404) })
  const page = await renderPage(client, harbour(<SuspendedVessels />))
  await eventually(() => expect(page.text()).toBe('no such table'))
})

test('after an error the next try sends a new request', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const answers = [json({ message: 'no such table' }, 404)]
  const { client } = startClient({ 'GET /rest/v1/vessels': () => answers.shift() ?? json([]) })
  function Trying() {
    const [round, setRound] = useState(0)
    return (
      <>
        <button type="button" onClick={() => setRound(round + 1)}>
          again{' '}
        </button>
        <Fragment key={round}>{harbour(<SuspendedVessels />)}</Fragment>
      </>
    )
  }
  const page = await renderPage(client, <Trying />)
  await eventually(() => expect(page.text()).toBe('again no such table'))
  await vi.advanceTimersByTimeAsync(1_000)
  await page.click()
  await eventually(() => expect(page.text()).toBe('again []'))
})

test('renders still suspended when the page is left leave no request and no channel', async () => {
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

test('a page that is discarded before it is mounted has requested nothing', async () => {
  const { client, requests } = startClient({}, { WebSocket })
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
  expect({ asked: requests, requests: vessels(client) }).toEqual({ asked: [], requests: quiet })
})
