// The refreshToken port: the one call that spends a refresh token, ours rather than the official client's.
import type { RefreshTokenEvent } from '../machines/ports.ts'
import { keepReceived, type AuthBackend } from './auth-backend.ts'
import { authFailure, readAuthAnswer } from './auth-failure.ts'
import { effect } from './effect.ts'
import { parseSession } from './session-store.ts'

export const createRefreshPort = (backend: AuthBackend) =>
  effect<{ readonly tokenId: string }, RefreshTokenEvent>((input, signal) =>
    refresh(backend, input.tokenId, signal),
  )

const unreachable: RefreshTokenEvent = {
  type: 'refresh.failed',
  failure: authFailure({ status: 0, message: '' }),
}
/** The page of a captive portal, say. */
const noSession: RefreshTokenEvent = {
  type: 'refresh.failed',
  failure: {
    kind: 'server',
    status: 200,
    message: 'The backend answered with something that is no session.',
  },
}

async function refresh(
  backend: AuthBackend,
  tokenId: string,
  signal: AbortSignal,
): Promise<RefreshTokenEvent> {
  const { url, key, fetch, vault, clock } = backend
  const askedAt = clock.now()
  const held = vault.session(tokenId)
  if (!held) throw new Error(`there is no secret behind ${tokenId}`)
  // The official client's refresh hides retries and a cooldown and loses codes: this one call is ours.
  const call = fetch(`${url}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { apikey: key, Authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: held.refresh_token }),
    signal,
  })
  const response = await call.catch(() => undefined)
  if (!response) return unreachable
  if (!response.ok) return { type: 'refresh.failed', failure: authFailure(await readAuthAnswer(response)) }
  const text = await response.text().catch(() => undefined)
  if (text === undefined) return unreachable
  const session = parseSession(text)
  if (!session) return noSession
  signal.throwIfAborted()
  return { type: 'refresh.succeeded', token: await keepReceived(backend, session, askedAt) }
}
