// Simulated backend responses, in the format of the requested API family.
import type { FaultLog } from './fault-log.ts'
import type { FaultKind } from './fault-kinds.ts'

type Family = 'auth' | 'rest' | 'storage' | 'functions' | 'realtime' | 'other'

/** Returns the API family of a URL. */
function familyOf(url: string): Family {
  const found = /\/(auth|rest|storage|functions|realtime)\/v1\//.exec(url)?.[1]
  return (found as Family | undefined) ?? 'other'
}

/** Builds a response with this status; `id` is the hit that traces show as its cause. */
export function refusal(url: string, status: number, id: string): Response {
  return answer(status, id, bodyOf(familyOf(url), status))
}

/** Builds the family's response for an expired token. */
function expired(url: string, id: string): Response {
  const family = familyOf(url)
  const message = 'JWT expired'
  if (family === 'auth') return answer(403, id, { code: 403, error_code: 'bad_jwt', msg: message })
  if (family === 'storage')
    return answer(400, id, { statusCode: '403', error: 'Unauthorized', code: 'InvalidJWT', message })
  if (family === 'functions') return answer(401, id, { code: 401, message: 'Invalid JWT' })
  return answer(401, id, { code: 'PGRST303', message, details: null, hint: null })
}

/** Builds the auth response for a revoked session. */
function sessionGone(id: string): Response {
  const message = 'Invalid Refresh Token: Refresh Token Not Found'
  return answer(400, id, { code: 400, error_code: 'refresh_token_not_found', msg: message })
}

function bodyOf(family: Family, status: number): object {
  const message = `A client-side fault returned ${status}`
  if (family === 'auth') return { code: status, msg: message }
  if (family === 'storage') return { statusCode: String(status), error: 'Fault', message }
  return { code: `FAULT${status}`, message, details: null, hint: null }
}

function answer(status: number, id: string, body: object): Response {
  const headers = { 'content-type': 'application/json', 'x-chartroom-fault': id }
  return new Response(JSON.stringify(body), { status, headers })
}

/** The parts of a call that rejections depend on. */
export interface AskedCall {
  readonly url: string
  readonly signal: AbortSignal | null | undefined
  /** The user's token; absent if the call uses only the API key. */
  readonly token: string | undefined
}

export function callOf(...[input, init]: Parameters<typeof globalThis.fetch>): AskedCall {
  const url = input instanceof Request ? input.url : String(input)
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
  const bearer = headers.get('authorization')?.replace(/^Bearer /i, '')
  return { url, signal: init?.signal, token: bearer === headers.get('apikey') ? undefined : bearer }
}

/** Rejects tokens that a fault declares invalid. */
export class TokenRefusal {
  readonly #book: FaultLog
  /** The expired token: that of the first call after the fault was set. Kept only in memory. */
  #spent: string | undefined

  constructor(book: FaultLog) {
    this.#book = book
  }

  /** Resets the state when a fault is activated. */
  forget(kind: FaultKind): void {
    if (kind === 'expireToken') this.#spent = undefined
  }

  refuse({ url, token }: AskedCall): Response | undefined {
    const revoked = this.#book.get('revoke')
    const grant = /\/auth\/v1\/token\?[^?]*grant_type=(\w+)/.exec(url)?.[1]
    if (revoked && grant === 'refresh_token') return sessionGone(this.#book.hit(revoked.id))
    // A new sign-in creates a new session.
    if (revoked && grant !== undefined) this.#book.clear('revoke')
    else if (revoked && token !== undefined) return expired(url, this.#book.hit(revoked.id))
    const over = this.#book.get('expireToken')
    if (!over || token === undefined) return undefined
    this.#spent ??= token
    return token === this.#spent ? expired(url, this.#book.hit(over.id)) : undefined
  }
}

/** Adds the ids of the faults to a response. */
export function marked(response: Response, id: string): Response {
  const { status, statusText, url } = response
  const headers = new Headers(response.headers)
  const others = headers.get('x-chartroom-fault')
  headers.set('x-chartroom-fault', others === null ? id : `${id}, ${others}`)
  const again = new Response(response.body, { status, statusText, headers })
  Object.defineProperty(again, 'url', { value: url })
  return again
}
