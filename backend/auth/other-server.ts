// Another auth server behind `/auth/v1`: passes requests on as the gateway of a hosted project does.
import { bearerOf, type Tokens } from '../keys/index.ts'
import { gatewayError } from '../shared/errors.ts'

/** The other auth server can't be used. */
export class AuthServerError extends Error {
  override name = 'AuthServerError'
}

export interface OtherServer {
  /** Handles everything under `/auth/v1`; the API key is already checked and the body is in memory. */
  readonly handle: (request: Request) => Promise<Response>
  /**
   * Creates users that do not exist there, with the given ids.
   * @throws AuthServerError if the server can't be reached, refuses a user, or has the address under another id
   */
  addUsers(users: readonly NewUser[]): Promise<void>
}

export interface NewUser {
  readonly id: string
  readonly email: string
  readonly password: string
}

const PREFIX = '/auth/v1'
/** 2100, in seconds. */
const FAR = 4_102_444_800
/** Headers of one connection, not of the request; the length is set when the body is sent. */
const HOP = ['connection', 'content-length', 'expect', 'host', 'keep-alive', 'transfer-encoding', 'upgrade']

/**
 * @param base the server's URL, whose routes are those below `/auth/v1`
 * @param tokens must sign with the secret that the server verifies tokens with
 */
export function createOtherServer(base: string, tokens: Pick<Tokens, 'identify' | 'sign'>): OtherServer {
  const root = rootOf(base)
  const send = (path: string, init: RequestInit) => fetch(root + path, { ...init, redirect: 'manual' })
  return {
    async handle(request) {
      const { pathname, search } = new URL(request.url)
      // The simulated providers are part of the backend's own server.
      if (!pathname.startsWith(`${PREFIX}/`)) return gatewayError(404, 'Not Found')
      const body = await request.arrayBuffer()
      const init = {
        method: request.method,
        headers: await headersFor(request, tokens),
        signal: request.signal,
        ...(body.byteLength > 0 ? { body } : {}),
      }
      try {
        return toPage(await send(pathname.slice(PREFIX.length) + search, init))
      } catch (error) {
        if (request.signal.aborted) throw error
        return gatewayError(502, `The auth server at ${root} can't be reached: ${reasonOf(error)}`)
      }
    },
    async addUsers(users) {
      const authorization = `Bearer ${await legacyKey(tokens, 'service_role')}`
      const headers = { authorization, 'content-type': 'application/json' }
      const ask = async (path: string, init: RequestInit) => {
        try {
          return await send(path, { headers, ...init })
        } catch (error) {
          throw new AuthServerError(`The auth server at ${root} can't be reached: ${reasonOf(error)}`)
        }
      }
      for (const user of users) {
        const body = JSON.stringify({ ...user, email_confirm: true })
        const created = await ask('/admin/users', { method: 'POST', body })
        if (created.ok) continue
        if (created.status === 422 && (await ask(`/admin/users/${user.id}`, {})).ok) continue
        const answer = await created.text()
        throw new AuthServerError(
          `The auth server at ${root} does not accept the user ${user.email} with the id ${user.id}: ${answer}`,
        )
      }
    },
  }
}

/** @throws AuthServerError if it is no HTTP URL */
function rootOf(base: string): string {
  if (!/^https?:$/.test(URL.parse(base)?.protocol ?? ''))
    throw new AuthServerError(`The URL of the auth server must start with http, not ${base}.`)
  return base.replace(/\/$/, '')
}

/** The request's headers; an API key without a user's token becomes the token of its role. */
async function headersFor(
  { headers, url }: Request,
  tokens: Pick<Tokens, 'identify' | 'sign'>,
): Promise<Headers> {
  const sent = new Headers(headers)
  for (const name of HOP) sent.delete(name)
  // A compressed body would be decompressed here, but not its headers.
  sent.set('accept-encoding', 'identity')
  const bearer = bearerOf(headers)
  if (bearer !== undefined && !bearer.startsWith('sb_')) return sent
  const apikey = headers.get('apikey') ?? new URL(url).searchParams.get('apikey') ?? undefined
  const identified = await tokens.identify(apikey, bearer)
  if ('claims' in identified)
    sent.set('authorization', `Bearer ${await legacyKey(tokens, identified.claims.role)}`)
  return sent
}

/** The signed token that projects had as their API key. */
function legacyKey(tokens: Pick<Tokens, 'sign'>, role: string): Promise<string> {
  return tokens.sign({ iss: 'supabase', role, exp: FAR })
}

/** The response without the server's own CORS: that is the gateway's. */
function toPage({ status, statusText, headers, body }: Response): Response {
  const responseHeaders = [...headers].filter(
    ([name]) => !HOP.includes(name) && !name.startsWith('access-control-'),
  )
  return new Response(body, { status, statusText, headers: responseHeaders })
}

/** Undici puts the reason of a failed connection into `cause`. */
function reasonOf(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {}
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}
