// Answers that a backend would give, made here: in the shape of the family that was asked.
import type { FaultBook } from './fault-book.ts'
import type { FaultKind } from './fault-kinds.ts'

type Family = 'auth' | 'rest' | 'storage' | 'functions' | 'realtime' | 'other'

/** The family of a call by its address. */
function familyOf(url: string): Family {
  const found = /\/(auth|rest|storage|functions|realtime)\/v1\//.exec(url)?.[1]
  return (found as Family | undefined) ?? 'other'
}

/** An answer with this status; `id` is the hit that stands in traces as its cause. */
export function refusal(url: string, status: number, id: string): Response {
  return answer(status, id, bodyOf(familyOf(url), status))
}

/** As the family says that a token has expired. */
function expired(url: string, id: string): Response {
  const family = familyOf(url)
  const message = 'JWT expired'
  if (family === 'auth') return answer(403, id, { code: 403, error_code: 'bad_jwt', msg: message })
  if (family === 'storage')
    return answer(400, id, { statusCode: '403', error: 'Unauthorized', code: 'InvalidJWT', message })
  if (family === 'functions') return answer(401, id, { code: 401, message: 'Invalid JWT' })
  return answer(401, id, { code: 'PGRST303', message, details: null, hint: null })
}

/** As auth says that a session is gone. */
function sessionGone(id: string): Response {
  const message = 'Invalid Refresh Token: Refresh Token Not Found'
  return answer(400, id, { code: 400, error_code: 'refresh_token_not_found', msg: message })
}

function bodyOf(family: Family, status: number): object {
  const message = `A fault on this side answered with ${status}`
  if (family === 'auth') return { code: status, msg: message }
  if (family === 'storage') return { statusCode: String(status), error: 'Fault', message }
  return { code: `FAULT${status}`, message, details: null, hint: null }
}

function answer(status: number, id: string, body: object): Response {
  const headers = { 'content-type': 'application/json', 'x-chartroom-fault': id }
  return new Response(JSON.stringify(body), { status, headers })
}

/** What refusing a call depends on. */
export interface AskedCall {
  readonly url: string
  readonly signal: AbortSignal | null | undefined
  /** The user's token; absent when the call goes out with the API key alone. */
  readonly token: string | undefined
}

export function callOf(...[input, init]: Parameters<typeof globalThis.fetch>): AskedCall {
  const url = input instanceof Request ? input.url : String(input)
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
  const bearer = headers.get('authorization')?.replace(/^Bearer /i, '')
  return { url, signal: init?.signal, token: bearer === headers.get('apikey') ? undefined : bearer }
}

/** Refuses tokens that are said to be no longer good. */
export class TokenRefusal {
  readonly #book: FaultBook
  /** The token that has expired: the one of the first call since. It is held in memory alone. */
  #spent: string | undefined

  constructor(book: FaultBook) {
    this.#book = book
  }

  /** Begins anew with a fault that is put in force. */
  forget(kind: FaultKind): void {
    if (kind === 'expireToken') this.#spent = undefined
  }

  refuse({ url, token }: AskedCall): Response | undefined {
    const revoked = this.#book.get('revoke')
    const grant = /\/auth\/v1\/token\?[^?]*grant_type=(\w+)/.exec(url)?.[1]
    if (revoked && grant === 'refresh_token') return sessionGone(this.#book.hit(revoked.id))
    // Whoever signs in again has a session of their own.
    if (revoked && grant !== undefined) this.#book.clear('revoke')
    else if (revoked && token !== undefined) return expired(url, this.#book.hit(revoked.id))
    const over = this.#book.get('expireToken')
    if (!over || token === undefined) return undefined
    this.#spent ??= token
    return token === this.#spent ? expired(url, this.#book.hit(over.id)) : undefined
  }
}

/** An answer that says which fault it met. */
export function marked(response: Response, id: string): Response {
  const { status, statusText, url } = response
  const headers = new Headers(response.headers)
  const others = headers.get('x-chartroom-fault')
  headers.set('x-chartroom-fault', others === null ? id : `${id}, ${others}`)
  const again = new Response(response.body, { status, statusText, headers })
  Object.defineProperty(again, 'url', { value: url })
  return again
}
