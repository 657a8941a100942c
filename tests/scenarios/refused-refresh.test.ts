// A rejected refresh, from the server's own text to the reason that the client gives for signing out.
import { expect, test } from 'vitest'
import type { AuthOptions } from '../../backend/auth/index.ts'
import { terminalReason } from '../../src/machines/index.ts'
import { readAuthResponse } from '../../src/services/client/auth/auth-response.ts'
import { authFailure } from '../../src/services/client/auth/auth-failure.ts'
import { refreshRaw, signInRaw, type TokenPair } from '../harness/auth.ts'
import { officialClient, startTestBackend } from '../harness/backend.ts'
import { movableClock } from '../harness/mail.ts'

const skipper = { email: 'skipper@harbour.test', password: 'harbour-demo' }

interface Scene {
  readonly backend: Awaited<ReturnType<typeof startTestBackend>>
  readonly clock: ReturnType<typeof movableClock>
  readonly session: TokenPair
}

const scenes: readonly {
  readonly reason: string
  readonly sessions?: AuthOptions['sessions']
  readonly happens: (scene: Scene) => Promise<unknown>
}[] = [
  {
    reason: 'notFound',
    happens: ({ backend, session }) =>
      officialClient(backend, backend.secretKey).auth.admin.signOut(session.access_token),
  },
  {
    reason: 'reuseDetected',
    happens: async ({ backend, clock, session }) => {
      const second = (await refreshRaw(backend, session.refresh_token)).body as unknown as TokenPair
      await refreshRaw(backend, second.refresh_token)
      clock.advance(11)
    },
  },
  {
    reason: 'inactivity',
    sessions: { inactivitySeconds: 60 },
    happens: async ({ clock }) => clock.advance(61),
  },
  { reason: 'timebox', sessions: { timeboxSeconds: 60 }, happens: async ({ clock }) => clock.advance(61) },
  {
    reason: 'newerLogin',
    sessions: { singlePerUser: true },
    happens: async ({ backend, clock }) => {
      clock.advance(1)
      await signInRaw(backend, skipper)
    },
  },
  {
    reason: 'banned',
    // In a separate backend, since its account can't be used afterwards.
    sessions: {},
    happens: async ({ backend }) => {
      const { admin } = officialClient(backend, backend.secretKey).auth
      const { data } = await admin.listUsers()
      const id = data.users.find(({ email }) => email === skipper.email)?.id ?? ''
      await admin.updateUserById(id, { ban_duration: '24h' })
    },
  },
]

const clock = movableClock()
/** The one of all scenes that need no settings. */
const usual = await startTestBackend({ clock })

test.each(scenes)('$reason', async ({ reason, sessions, happens }) => {
  const backend = sessions ? await startTestBackend({ clock, auth: { sessions } }) : usual
  const session = await signInRaw(backend, skipper)
  await happens({ backend, clock, session })
  const response = await fetch(`${backend.url}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { apikey: backend.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: session.refresh_token }),
  })
  expect(response.status).toBe(400)
  expect(terminalReason(authFailure(await readAuthResponse(response)))).toBe(reason)
})
