// The auth family: lite's answers with the claims and error bodies of the official server.
import { decodeJwt, type JWTPayload } from 'jose'
import { authError } from '../errors.ts'
import { fieldOf } from '../fields.ts'
import type { Database } from '../database.ts'
import type { Tokens } from '../tokens.ts'

export interface AuthDependencies {
  readonly database: Database
  readonly tokens: Tokens
  /** Origin of the backend, for the issuer claim. */
  readonly url: string
}

/** Answers everything under `/auth/v1`; the API key has been checked and the body is in memory. */
export function createAuth({
  database,
  tokens,
  url,
}: AuthDependencies): (request: Request) => Promise<Response> {
  return async request => {
    const malformed = await checkBody(request)
    if (malformed) return malformed
    const response = await database.fetch(request)
    if (request.method === 'HEAD' || !response.headers.get('content-type')?.includes('json')) return response
    const body: unknown = await response.json()
    const session = findSession(body)
    if (session) {
      const method = new URL(request.url).pathname.endsWith('/verify') ? 'otp' : 'password'
      const claims = decodeJwt(session.access_token)
      const since = await signedInAt(database, claims)
      session.access_token = await tokens.sign(completeClaims(claims, session, { method, since, url }))
    }
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    return Response.json(body, { status: response.status, headers })
  }
}

const TEXT_FIELDS = ['email', 'phone', 'password', 'token', 'token_hash', 'refresh_token', 'type', 'nonce']

async function checkBody(request: Request): Promise<Response | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  const text = await request.clone().text()
  if (text === '') return undefined
  return isUsable(text) ? undefined : authError(400, 'bad_json', 'Could not parse request body as JSON')
}

/** Whether the body is what lite takes for granted: an object, its own fields texts, and no NUL, which PostgreSQL lacks. */
function isUsable(text: string): boolean {
  try {
    let hasNul = false
    const body: unknown = JSON.parse(text, (_name, value: unknown) => {
      hasNul ||= typeof value === 'string' && value.includes('\0')
      return value
    })
    if (hasNul || typeof body !== 'object' || body === null || Array.isArray(body)) return false
    return TEXT_FIELDS.every(name =>
      ['string', 'undefined'].includes(typeof (fieldOf(body, name) ?? undefined)),
    )
  } catch {
    return false
  }
}

interface SessionBody {
  access_token: string
  readonly user?: {
    readonly app_metadata?: unknown
    readonly user_metadata?: unknown
    readonly phone?: unknown
  }
}

function findSession(body: unknown): SessionBody | undefined {
  return isSession(body) ? body : undefined
}

function isSession(body: unknown): body is SessionBody {
  return (
    typeof body === 'object' &&
    body !== null &&
    'access_token' in body &&
    typeof body.access_token === 'string'
  )
}

/** When the session began, in seconds; a refresh does not change it. */
async function signedInAt(database: Database, claims: JWTPayload): Promise<number> {
  const [row] = await database.owner(tx =>
    tx.query<{ since: number }>(
      'select extract(epoch from created_at)::int as since from auth.sessions where id::text = $1',
      [claims.session_id],
    ),
  )
  return row?.since ?? claims.iat ?? 0
}

interface SignIn {
  readonly method: string
  readonly since: number
  readonly url: string
}

/** Adds the claims that lite leaves out. */
function completeClaims(
  claims: JWTPayload,
  session: SessionBody,
  { method, since, url }: SignIn,
): JWTPayload {
  return {
    ...claims,
    iss: `${url}/auth/v1`,
    phone: session.user?.phone ?? '',
    app_metadata: session.user?.app_metadata ?? {},
    user_metadata: session.user?.user_metadata ?? {},
    aal: 'aal1',
    amr: [{ method, timestamp: since }],
    is_anonymous: false,
  }
}
