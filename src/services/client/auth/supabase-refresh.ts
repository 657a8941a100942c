// The refreshToken port, with our own refresh request instead of supabase-js's.
import { changedElsewhere, type Failure, type RefreshTokenEvent } from '../../../machines/index.ts'
import { plainFailure, readAuthResponse, type AuthResponse } from './auth-response.ts'
import { isStillStored, keepReceived, type AuthBackend } from './auth-backend.ts'
import { effect } from '../../runtime/index.ts'
import { parseSession } from './session-store.ts'
import type { StoredSession } from './vault.ts'

export const createRefreshPort = (backend: AuthBackend) =>
  effect<{ readonly tokenId: string }, RefreshTokenEvent>((input, signal) =>
    refresh(backend, input.tokenId, signal),
  )

async function refresh(
  backend: AuthBackend,
  tokenId: string,
  signal: AbortSignal,
): Promise<RefreshTokenEvent> {
  const askedAt = backend.clock.now()
  const held = backend.vault.session(tokenId)
  if (!held) throw new Error(`no session is stored for ${tokenId}`)
  const spent = await spend(backend, held.refresh_token, signal)
  if ('failure' in spent) return { type: 'refresh.failed', ...spent }
  const isOvertaken = !(await isStillStored(backend, held, spent.session))
  signal.throwIfAborted()
  if (isOvertaken) return { type: 'refresh.failed', failure: changedElsewhere }
  return { type: 'refresh.succeeded', token: await keepReceived(backend, spent.session, askedAt) }
}

const unreachable = { failure: plainFailure({ status: 0, message: '' }) }
/** E.g. the page of a captive portal. */
const noSession = {
  failure: {
    kind: 'server',
    status: 200,
    message: 'The backend’s response is not a session.',
  },
} as const

/** Exchanges a refresh token for a session without holding or storing it. */
export async function spend(
  { url, key, fetch, account }: Pick<AuthBackend, 'url' | 'key' | 'fetch' | 'account'>,
  refreshToken: string,
  signal: AbortSignal,
): Promise<{ readonly session: StoredSession } | { readonly failure: Failure }> {
  // Supabase-js's refresh hides retries and a cooldown and loses error codes, so we make this request
  // ourselves.
  const call = fetch(`${url}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { apikey: key, Authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: refreshToken }),
    signal,
  })
  const response = await call.catch(() => undefined)
  if (!response) return unreachable
  if (!response.ok) return { failure: await inWords(await readAuthResponse(response), account) }
  const text = await response.text().catch(() => undefined)
  if (text === undefined) return unreachable
  const session = parseSession(text)
  return session ? { session } : noSession
}

/** Adds a user-facing message to a rejection, if the messages can be loaded. Outages need none. */
function inWords(answer: AuthResponse, account: AuthBackend['account']): Promise<Failure> | Failure {
  const plain = plainFailure(answer)
  if (plain.kind === 'server' || plain.kind === 'rateLimit') return plain
  return account().then(
    ({ authFailure }) => authFailure(answer),
    () => plain,
  )
}
