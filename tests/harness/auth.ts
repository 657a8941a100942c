// Tools of the auth tests: raw requests, whose codes the official client hides, and responses in one line.
import type { Backend } from '../../backend/index.ts'

type Target = Pick<Backend, 'url' | 'publishableKey'>

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Headers
}

/** Sends a request to the auth family; a body is sent as JSON, a string unchanged. */
export async function ask(
  backend: Target,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${backend.url}/auth/v1/${path}`, {
    method,
    headers: { apikey: backend.publishableKey, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    headers: response.headers,
  }
}

/** An error in the format of the first API version. */
export function refusal({ status, body }: Answer): readonly [number, unknown, unknown] {
  return [status, body['error_code'], body['msg']]
}

/** Tokens as returned by the token endpoint. */
export interface TokenPair {
  readonly access_token: string
  readonly refresh_token: string
}

export async function signInRaw(
  backend: Target,
  credentials: { readonly email: string; readonly password: string },
): Promise<TokenPair> {
  const { status, body } = await ask(backend, 'POST', 'token?grant_type=password', credentials)
  if (status !== 200) throw new Error(`The sign-in was rejected with ${status}.`)
  return body as unknown as TokenPair
}

export function refreshRaw(backend: Target, refreshToken: string): Promise<Answer> {
  return ask(backend, 'POST', 'token?grant_type=refresh_token', { refresh_token: refreshToken })
}

/** The headers of a user's own request. */
export function bearer(session: Pick<TokenPair, 'access_token'>): Record<string, string> {
  return { authorization: `Bearer ${session.access_token}` }
}
