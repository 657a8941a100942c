// The test app with React, in happy-dom: the hooks of one signed-in client, mounted as an app mounts them.
// Reads the backend from the environment; prints one JSON line.
import assert from 'node:assert/strict'
import { Window } from 'happy-dom'
import type { Database } from './database.ts'

const { BACKEND_URL: url = '', BACKEND_KEY: key = '' } = process.env
const window = new Window({ url: 'http://localhost/' })
// Only the page: the network and its events are Node's.
Object.assign(globalThis, { window, document: window.document, Node: window.Node })

const { createElement, Suspense, version } = await import('react')
const { createRoot } = await import('react-dom/client')
const { createChartroomClient } = await import('chartroom')
const { ChartroomProvider, useChannel, useRequest, useSession, useSuspenseRequest } =
  await import('chartroom/react')

const client = createChartroomClient<Database>({ url, key })
const email = `user-${crypto.randomUUID()}@matrix.test`
const { error } = await client.supabase.auth.signUp({ email, password: 'matrix-matrix' })
assert.equal(error, null)
await client.supabase.from('log_entries').insert({ note: 'from React' })

function Session() {
  const session = useSession()
  return createElement('p', null, session.phase === 'authenticated' ? session.user.email : session.phase)
}

function Entries() {
  const { data = [] } = useRequest(['entries'], db => db.from('log_entries').select('note'))
  const { status } = useChannel('react-matrix')
  return createElement('p', null, `${data.map(({ note }) => String(note)).join()}, ${status.phase}`)
}

function Suspended() {
  const { data } = useSuspenseRequest(['count'], db => db.from('log_entries').select('note'))
  return createElement('p', null, `${data.length} entry`)
}

const page = document.body.appendChild(document.createElement('main'))
const root = createRoot(page)
root.render(
  createElement(
    ChartroomProvider<Database>,
    { client },
    createElement(Session),
    createElement(Entries),
    createElement(Suspense, { fallback: 'loading' }, createElement(Suspended)),
  ),
)
const expected = `${email}from React, joined1 entry`
for (let tries = 0; page.textContent !== expected && tries < 200; tries += 1)
  await new Promise(resolve => setTimeout(resolve, 50))
assert.equal(page.textContent, expected)
root.unmount()
await client.dispose()
console.log(JSON.stringify({ react: version }))
process.exit()
