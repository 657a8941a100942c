// Unsupported features, refused with the codes that the official server uses for disabled ones.
import type { Hono } from 'hono'
import { requireCaller, requireServiceRole } from './sessions/caller.ts'
import type { AuthContext } from './context.ts'
import { AuthError } from './errors.ts'

type Guard = (context: AuthContext, request: Request) => Promise<unknown>

const anyone: Guard = () => Promise.resolve()
const user: Guard = (context, request) => context.database.owner(tx => requireCaller(tx, context, request))

interface Refusal {
  readonly path: string
  /** The required caller, checked before the refusal. */
  readonly guard: Guard
  readonly error: readonly [status: number, code: string, message: string]
}

const SAML = [404, 'saml_provider_disabled', 'SAML 2.0 is disabled'] as const
const CUSTOM_PROVIDERS = [404, 'feature_disabled', 'Custom OAuth providers are disabled'] as const
const RECOVERY_CODES = [404, 'feature_disabled', 'MFA recovery codes are disabled'] as const
const SCIM = [404, 'feature_disabled', 'SCIM server is disabled'] as const

/** A pattern that ends in `/*` also matches the path before it. */
const REFUSALS: readonly Refusal[] = [
  { path: '/sso/*', guard: anyone, error: SAML },
  { path: '/admin/custom-providers/*', guard: requireServiceRole, error: CUSTOM_PROVIDERS },
  { path: '/factors/recovery-codes/*', guard: user, error: RECOVERY_CODES },
  { path: '/scim/v2/*', guard: anyone, error: SCIM },
]

export function addRefusedRoutes(app: Hono, context: AuthContext): void {
  for (const { path, guard, error } of REFUSALS) {
    app.all(`/auth/v1${path}`, async ({ req }) => {
      await guard(context, req.raw)
      throw new AuthError(...error)
    })
  }
  addSsoProviderRoutes(app, context)
}

/** There are no single sign-on providers, and none can be created. */
function addSsoProviderRoutes(app: Hono, context: AuthContext): void {
  app.get('/auth/v1/admin/sso/providers', async ({ req }) => {
    await requireServiceRole(context, req.raw)
    return Response.json({ items: [] })
  })
  app.post('/auth/v1/admin/sso/providers', async ({ req }) => {
    await requireServiceRole(context, req.raw)
    throw new AuthError(...SAML)
  })
  app.on(['GET', 'PUT', 'DELETE'], '/auth/v1/admin/sso/providers/:provider', async ({ req }) => {
    await requireServiceRole(context, req.raw)
    throw new AuthError(404, 'sso_provider_not_found', 'SSO Identity Provider not found')
  })
}
