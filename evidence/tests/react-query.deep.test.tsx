// With TanStack Query: its queries go through the client, wait for the session, and abort their requests.
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act } from 'react'
import { expect, test } from 'vitest'
import { useClient, useSession } from '../../src/public/react.ts'
import { credentials, signIn, startClient } from '../../tests/harness/client.ts'
import { json, jwt } from '../../tests/harness/fake-backend.ts'
import { eventually, renderPage } from '../../tests/harness/react.tsx'

function Vessels() {
  const { supabase } = useClient()
  const session = useSession()
  const user = session.phase === 'authenticated' ? session.user.id : undefined
  const { data, fetchStatus } = useQuery({
    queryKey: ['vessels', user],
    enabled: user !== undefined,
    queryFn: async ({ signal }) => {
      const answer = await supabase.from('vessels').select('name').abortSignal(signal).throwOnError()
      return answer.data
    },
  })
  return `${fetchStatus} ${JSON.stringify(data)}`
}

const page = (queries: QueryClient) => (
  <QueryClientProvider client={queries}>
    <Vessels />
  </QueryClientProvider>
)

test('a query waits until a user is signed in, then uses their token', async () => {
  const { client, requests } = startClient({
    ...signIn,
    'GET /rest/v1/vessels': () => json([{ name: 'Fulmar' }]),
  })
  const shown = await renderPage(client, page(new QueryClient()))
  await eventually(() => expect(client.status().session.phase).toBe('signedOut'))
  expect({ text: shown.text(), asked: requests }).toEqual({ text: 'idle undefined', asked: [] })
  await act(() => client.auth.signInWithPassword(credentials).then(() => undefined))
  await eventually(() => expect(shown.text()).toBe('idle [{"name":"Fulmar"}]'))
  const rest = requests.filter(({ path }) => path.startsWith('/rest/'))
  expect(rest.map(({ authorization }) => authorization)).toEqual([`Bearer ${jwt('first')}`])
})

test('an unused query aborts its request', async () => {
  const { client } = startClient({ ...signIn, 'GET /rest/v1/vessels': () => new Promise(() => {}) })
  await client.auth.signInWithPassword(credentials)
  const shown = await renderPage(client, page(new QueryClient()))
  await eventually(() => expect(client.status().requests.sending).toBe(1))
  await shown.show(null)
  await eventually(() =>
    expect(client.status().requests).toEqual({ queued: 0, waiting: 0, sending: 0, receiving: 0 }),
  )
})
