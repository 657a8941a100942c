// Several clients of one page with one session: a warning, once, and only while both run.
import { Window } from 'happy-dom'
import { StrictMode, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { type ChartroomClient, createChartroomClient } from '../../src/public/index.ts'
import { ChartroomProvider, useSession } from '../../src/public/react.ts'
import { memoryStorage } from '../../src/services/client/index.ts'
import { atTestEnd } from '../harness/endings.ts'
import { fakeBackend, KEY } from '../harness/fake-backend.ts'
import { eventually, renderAlone } from '../harness/react.tsx'

vi.stubGlobal('localStorage', new Window({ url: 'http://app.test' }).localStorage)
const { fetch } = fakeBackend({})
const warn = vi.spyOn(console, 'warn').mockReturnValue()
afterEach(() => void warn.mockClear())

const create = (name: string, auth: object = {}): ChartroomClient => {
  const client = createChartroomClient(`http://${name}.test`, KEY, { auth, global: { fetch } })
  atTestEnd(() => client.dispose())
  return client
}

const start = (...given: Parameters<typeof create>) => {
  const client = create(...given)
  client.status()
  return client
}

test('the second client that starts is named, once, with what to do', () => {
  start('port')
  start('starboard')
  create('port')
  expect(warn).not.toHaveBeenCalled()
  start('port')
  start('port')
  expect(warn.mock.calls).toEqual([
    [
      '[chartroom] Several clients of this page use the storage key "sb-port-auth-token". Create one client and import it where it is needed, dispose of those that are not, or give each its own `auth.storageKey`.',
    ],
  ])
})

test('not for one after the other, and not for other keys or storages', async () => {
  await start('bow').dispose()
  start('bow')
  start('bow', { storageKey: 'other' })
  start('bow', { storage: memoryStorage() })
  start('bow', { persistSession: false })
  expect(warn).not.toHaveBeenCalled()
})

test('not for a component that strict mode renders twice', async () => {
  let made = 0
  function App() {
    const [client] = useState(() => {
      made += 1
      return create('stern')
    })
    return (
      <ChartroomProvider client={client}>
        <Session />
      </ChartroomProvider>
    )
  }
  const Session = () => <p>{useSession().phase}</p>
  const page = await renderAlone(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  await eventually(() => expect(page.text()).toBe('signedOut'))
  expect(made).toBe(2)
  expect(warn).not.toHaveBeenCalled()
})
