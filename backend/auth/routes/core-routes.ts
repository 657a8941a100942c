// The routes that every client uses: sign-up, tokens, the user, sign-out, and server information.
import type { Hono } from 'hono'
import { audit } from '../audit.ts'
import { requireUser } from '../sessions/caller.ts'
import { issuerOf, type AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { changeUser } from '../accounts/change-user.ts'
import { readBody, type Body } from '../requests.ts'
import { endSessions } from '../sessions/sessions.ts'
import type { AuthSettings } from '../settings.ts'
import { describeSettings } from '../settings-body.ts'
import { signUp } from '../accounts/sign-up.ts'
import { describeUser } from '../accounts/users.ts'

/** Handles one `grant_type` of the token endpoint. */
export type Grant = (context: AuthContext, request: Request, body: Body) => Promise<Response>

export function addCoreRoutes(app: Hono, context: AuthContext): void {
  addPublicRoutes(app, context)
  app.post('/auth/v1/signup', async ({ req }) => signUp(context, req.raw, await readBody(req.raw)))
  app.get('/auth/v1/user', ({ req }) =>
    context.database.owner(async tx => {
      const { user, claims } = await requireUser(tx, context, req.raw)
      if (!claims.aud?.length) {
        throw new AuthError(400, 'validation_failed', "Token audience doesn't match request audience")
      }
      return Response.json(await describeUser(tx, user))
    }),
  )
  app.put('/auth/v1/user', ({ req }) => changeUser(context, req.raw))
  app.post('/auth/v1/logout', ({ req }) => logOut(context, req.raw, req.query('scope') ?? ''))
}

/** Adds the token endpoint with its grant handlers. */
export function addTokenRoute(
  app: Hono,
  context: AuthContext,
  grants: Readonly<Record<string, Grant>>,
): void {
  const byName = new Map(Object.entries(grants))
  app.post('/auth/v1/token', async ({ req }) => {
    const type = req.query('grant_type') ?? ''
    const grant = byName.get(type)
    if (!grant) throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type')
    context.limits.request(type === 'web3' ? 'web3' : 'token')
    return grant(context, req.raw, await readBody(req.raw))
  })
}

async function logOut(context: AuthContext, request: Request, scope: string): Promise<Response> {
  const scopeName = scope === '' ? 'global' : scope
  await context.database.owner(async tx => {
    const { user, session } = await requireUser(tx, context, request)
    if (scopeName !== 'global' && scopeName !== 'local' && scopeName !== 'others') {
      throw new AuthError(400, 'validation_failed', `Unsupported logout scope ${JSON.stringify(scope)}`)
    }
    await audit(tx, context, user, 'logout')
    await endSessions(tx, user, scopeName, session?.id)
  })
  return new Response(null, { status: 204 })
}

const FOR_TEN_MINUTES = { 'cache-control': 'public, max-age=600' }

function addPublicRoutes(app: Hono, context: AuthContext): void {
  app.get('/auth/v1/health', () =>
    Response.json({
      version: 'v2.0.0-chartroom',
      name: 'GoTrue',
      description: 'GoTrue is a user registration and authentication API',
    }),
  )
  app.get('/auth/v1/settings', () => Response.json(describeSettings(context.settings)))
  app.get('/auth/v1/.well-known/jwks.json', () =>
    Response.json({ keys: context.tokens.jwks }, { headers: FOR_TEN_MINUTES }),
  )
  app.get('/auth/v1/.well-known/openid-configuration', () =>
    Response.json(describeIssuer(issuerOf(context), context.settings), { headers: FOR_TEN_MINUTES }),
  )
}

const CLAIMS = [
  'sub',
  'aud',
  'iss',
  'exp',
  'iat',
  'auth_time',
  'nonce',
  'email',
  'email_verified',
  'phone_number',
  'phone_number_verified',
  'name',
  'picture',
  'preferred_username',
  'updated_at',
]

function describeIssuer(issuer: string, { oauthServer }: AuthSettings): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    ...(oauthServer.enabled && oauthServer.allowDynamicRegistration
      ? { registration_endpoint: `${issuer}/oauth/clients/register` }
      : {}),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'ES256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: ['S256', 'plain'],
    scopes_supported: ['openid', 'profile', 'email', 'phone', 'offline_access'],
    claims_supported: CLAIMS,
  }
}
