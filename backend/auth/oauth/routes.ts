// OAuth routes: authorize, callback, the simulated provider's site, and the grant for its ID tokens.
import type { Hono } from 'hono'
import type { AuthContext } from '../context.ts'
import { redirectSettings } from '../mail/links.ts'
import { isAllowedRedirect } from '../mail/redirects.ts'
import { redirect } from '../redirect.ts'
import type { Grant } from '../routes/core-routes.ts'
import { providerAddress } from './authorize.ts'
import { finishFlow } from './callback.ts'
import { createIdTokenGrant } from './id-token.ts'
import { createStandIn } from './stand-in.ts'
import { createStandInSite } from './stand-in-routes.ts'

/** Adds the routes and returns the grant handlers. */
export function addOAuthRoutes(app: Hono, context: AuthContext): Readonly<Record<string, Grant>> {
  const { clock, url } = context
  const standIn = createStandIn(url, clock)
  app.get('/auth/v1/authorize', async ({ req }) => {
    const location = await context.database.owner(tx => providerAddress(tx, context, req.raw))
    return redirect(302, location)
  })
  app.get('/auth/v1/callback', ({ req }) =>
    finishFlow(context, standIn, req.raw, new URL(req.url).searchParams),
  )
  // Providers that respond with a form post the same fields.
  app.post('/auth/v1/callback', async ({ req }) =>
    finishFlow(context, standIn, req.raw, new URLSearchParams(await req.text())),
  )
  const isAllowed = (redirect: string) => isAllowedRedirect(redirectSettings(context), redirect)
  app.route('/', createStandInSite({ standIn, clock, isAllowedRedirect: isAllowed }))
  return { id_token: createIdTokenGrant(standIn) }
}
