// The auth family: the routes of the official server on our own tables.
import { Hono } from 'hono'
import { passwordGrant } from './sign-in.ts'
import { refreshGrant } from './refresh.ts'
import { pkceGrant } from './exchange.ts'
import { AuthError, errorResponse } from './errors.ts'
import type { AuthContext } from './context.ts'
import { createRateLimits } from './limits.ts'
import { addCoreRoutes, addTokenRoute } from './routes/core-routes.ts'
import { addMailFamily } from './routes/mail-family.ts'

/** Answers everything under `/auth/v1`; the API key has been checked and the body is in memory. */
export function createAuth(parts: Omit<AuthContext, 'limits'>): (request: Request) => Promise<Response> {
  const context = { ...parts, limits: createRateLimits(parts.settings.rateLimit, parts.clock) }
  const app = new Hono()
  app.onError((error, { req }) => errorResponse(error, req.raw))
  app.notFound(({ req }) => errorResponse(new AuthError(404, 'not_found', 'Not Found'), req.raw))
  addCoreRoutes(app, context)
  addMailFamily(app, context)
  addTokenRoute(app, context, { password: passwordGrant, refresh_token: refreshGrant, pkce: pkceGrant })
  return async request => app.fetch(request)
}
