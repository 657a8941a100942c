// Whose table a page shows: after the end of a session still that of its user, until another one signs in.
import { act } from 'react'
import { expect, test } from 'vitest'
import { useOwner } from '../../../../src/ui/app/data/use-table.ts'
import { credentials, startClient } from '../../../harness/client.ts'
import { json, sessionBody } from '../../../harness/fake-backend.ts'
import { eventually, renderPage } from '../../../harness/react.tsx'

function Owner() {
  return <p>{useOwner()}</p>
}

test('unsaved input of a page belongs to the user who left, until another signs in', async () => {
  const { client } = startClient({
    'POST /auth/v1/token?grant_type=password': ({ body }) => {
      const { email } = JSON.parse(body) as { email: string }
      return json({ ...sessionBody('first'), user: { id: `${email}-id`, email, aud: 'authenticated' } })
    },
    'POST /auth/v1/token?grant_type=refresh_token': () =>
      json(
        { code: 'refresh_token_not_found', message: 'Invalid Refresh Token: Refresh Token Not Found' },
        400,
      ),
  })
  const signIn = (email: string) =>
    act(() => client.auth.signInWithPassword({ ...credentials, email }).then(() => undefined))
  await signIn('skipper')
  const page = await renderPage(client, <Owner />)
  await eventually(() => expect(page.text()).toBe('skipper-id'))
  await act(() => client.auth.refresh().then(() => undefined))
  await eventually(() => expect(client.status().session.phase).toBe('signedOut'))
  expect(page.text()).toBe('skipper-id')
  await signIn('mate')
  await eventually(() => expect(page.text()).toBe('mate-id'))
})
