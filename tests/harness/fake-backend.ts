// A backend that is one function: enough HTTP for the client, and every request is recorded.
import type { SessionStorage } from '../../src/services/runtime/contracts.ts'
import { memoryStorage } from '../../src/services/client/auth/session-store.ts'

export interface Asked {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly authorization: string | null
  readonly apikey: string | null
  readonly body: string
}

export type Answer = (asked: Asked, n: number) => Response | Promise<Response>

export const KEY = 'sb_publishable_harbour_0123456789'
export const URL_BASE = 'http://harbour.test'

const base64url = (value: object) =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** An unsigned JWT, for a backend that verifies nothing. */
export const jwt = (name: string, aal = 'aal1') =>
  `${base64url({ alg: 'none', typ: 'JWT' })}.${base64url({ sub: 'skipper-id', aal, name })}.c2lnbmF0dXJl`

export const sessionBody = (name: string, expiresIn = 3600) => ({
  access_token: jwt(name),
  refresh_token: `refresh-${name}-0123456789`,
  expires_in: expiresIn,
  expires_at: Math.floor(Date.now() / 1000) + expiresIn,
  token_type: 'bearer',
  user: { id: 'skipper-id', email: 'skipper@harbour.test', aud: 'authenticated' },
})

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers })

/**
 * Answers by the first route whose `METHOD /path` is a prefix of the request; anything else is an empty list.
 */
export function fakeBackend(routes: Readonly<Record<string, Answer>> = {}) {
  const requests: Asked[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const call: Asked = {
      method: request.method,
      path: pathname + search,
      authorization: request.headers.get('authorization'),
      apikey: request.headers.get('apikey'),
      body: await request.text(),
    }
    requests.push(call)
    const route = Object.keys(routes).find(prefix => `${call.method} ${call.path}`.startsWith(prefix))
    const n = requests.filter(other => route && `${other.method} ${other.path}`.startsWith(route)).length
    return (route && (await routes[route]?.(call, n))) || json([])
  }
  return { fetch, requests }
}

/** A storage with a session received `age` seconds ago. */
export function storedSession(name: string, { expiresIn = 3600, age = 0 } = {}): SessionStorage {
  const storage = memoryStorage()
  const session = { ...sessionBody(name, expiresIn), received_at: Date.now() - age * 1000 }
  void storage.setItem('sb-harbour-auth-token', JSON.stringify(session))
  return storage
}
