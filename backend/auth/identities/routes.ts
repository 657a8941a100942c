// Routes for a user's identities: link a new one, unlink one.
import type { Hono } from 'hono'
import { isUuid, requireCaller, type Caller } from '../sessions/caller.ts'
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { providerAddress } from '../oauth/authorize.ts'
import { redirect } from '../redirect.ts'
import { unlinkIdentity } from './unlink.ts'

export function addIdentityRoutes(app: Hono, context: AuthContext): void {
  app.get('/auth/v1/user/identities/authorize', async ({ req }) => {
    const location = await context.database.owner(async tx => {
      const { user } = await requireLinker(tx, context, req.raw)
      return providerAddress(tx, context, req.raw, user)
    })
    if (req.query('skip_http_redirect') === 'true') return Response.json({ url: location })
    return redirect(302, location)
  })
  app.delete('/auth/v1/user/identities/:identity', async ({ req }) => {
    await context.database.owner(async tx => {
      const { user } = await requireLinker(tx, context, req.raw)
      const id = req.param('identity')
      if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID')
      await unlinkIdentity(tx, context, user, id.toLowerCase())
    })
    return Response.json({})
  })
}

async function requireLinker(tx: Queries, context: AuthContext, request: Request): Promise<Caller> {
  const caller = await requireCaller(tx, context, request)
  if (context.settings.enableManualLinking) return caller
  throw new AuthError(404, 'manual_linking_disabled', 'Manual linking is disabled')
}
