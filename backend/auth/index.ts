// The auth service: the routes of the official server on our own tables.
import { Hono } from 'hono'
import { createCleanUp } from './clean-up.ts'
import { passwordGrant } from './accounts/sign-in.ts'
import { refreshGrant } from './sessions/refresh.ts'
import { pkceGrant } from './flows/exchange.ts'
import { errorResponse } from './errors.ts'
import { unknownRoute } from './unknown-route.ts'
import type { AuthContext } from './context.ts'
import type { OutgoingRules } from '../shared/outgoing.ts'
import { createHooks } from './hooks/hooks.ts'
import type { HookSettings } from './hooks/hook-settings.ts'
import type { HookTimes } from './hooks/http-hook.ts'
import { repeatable } from './hooks/repeatable.ts'
import { createRateLimits } from './limits.ts'
import { addIdentityRoutes } from './identities/routes.ts'
import { addMfaRoutes } from './mfa/routes.ts'
import { addOAuthRoutes } from './oauth/routes.ts'
import { addOAuthServerRoutes } from './oauth-server/routes.ts'
import { addPasskeyRoutes } from './passkeys/routes.ts'
import { addRefusedRoutes } from './refused-routes.ts'
import { addAdminRoutes } from './routes/admin-routes.ts'
import { addCoreRoutes, addTokenRoute } from './routes/core-routes.ts'
import { addMailFamily } from './routes/mail-family.ts'
import { createWeb3Grant } from './web3/grant.ts'
import { createWrongCodes } from './verify/wrong-codes.ts'

export { hashPassword } from './accounts/passwords.ts'
export { createUser } from './accounts/users.ts'
export { HOOK_NAMES, type HookName, type HookSettings, type HookTarget } from './hooks/hook-settings.ts'
export { AuthError, errorResponse } from './errors.ts'
export { createMailer } from './mail/mailer.ts'
export { AuthServerError, createOtherServer, type NewUser, type OtherServer } from './other-server.ts'
export { hashToken } from './sessions/refresh-tokens.ts'
export {
  type AuthOptions,
  DEFAULT_PASSWORD_COST,
  type PasswordRequirements,
  authSettings,
} from './settings.ts'

/**
 * Handles everything under `/auth/v1`; the API key is already checked and the body is in memory. Also serves
 * the simulated social providers under `/_chartroom/oauth`, for its own origin only.
 */
export function createAuth(
  parts: Omit<AuthContext, 'limits' | 'wrongCodes' | 'hooks'> & {
    readonly hooks?: HookSettings
    /** Where hooks may be. */
    readonly outgoing: OutgoingRules
    readonly hookTimes?: HookTimes
  },
): (request: Request) => Promise<Response> {
  const limits = createRateLimits(parts.settings.rateLimit, parts.clock)
  const context: AuthContext = {
    ...parts,
    database: repeatable(parts.database),
    hooks: createHooks(parts.hooks ?? {}, parts.outgoing, parts.hookTimes),
    limits,
    wrongCodes: createWrongCodes(),
  }
  const app = new Hono()
  app.onError((error, { req }) => errorResponse(error, req.raw))
  app.notFound(({ req }) => unknownRoute(app.routes, req.path))
  addAdminRoutes(app, context)
  addCoreRoutes(app, context)
  addMailFamily(app, context)
  const elsewhere = addOAuthRoutes(app, context)
  addTokenRoute(app, context, {
    password: passwordGrant,
    refresh_token: refreshGrant,
    pkce: pkceGrant,
    web3: createWeb3Grant(parts.clock),
    ...elsewhere,
  })
  addIdentityRoutes(app, context)
  addPasskeyRoutes(app, context)
  addOAuthServerRoutes(app, context)
  addRefusedRoutes(app, context)
  addMfaRoutes(app, context)
  const cleanUp = createCleanUp(context)
  return async request => {
    const response = await app.fetch(request)
    cleanUp()
    return response
  }
}
