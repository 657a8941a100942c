// The routes of the OAuth server. Apps can be registered; sign-ins with it are refused.
import type { Hono } from 'hono'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { readBody } from '../requests.ts'
import { isUuid, requireCaller, requireServiceRole } from '../sessions/caller.ts'
import type { Queries } from '../../database/index.ts'
import { readClientChange, readNewClient } from './client-requests.ts'
import {
  addClient,
  changeClient,
  describeClient,
  findClient,
  listClients,
  removeClient,
  renewSecret,
  type ClientRow,
} from './clients.ts'

export function addOAuthServerRoutes(app: Hono, context: AuthContext): void {
  addAdminRoutes(app, context)
  app.post('/auth/v1/oauth/clients/register', async ({ req }) => {
    requireEnabled(context)
    context.limits.request('oauthRegister')
    if (!context.settings.oauthServer.allowDynamicRegistration) {
      const message = 'Dynamic client registration is not enabled'
      throw new AuthError(403, 'oauth_dynamic_client_registration_disabled', message)
    }
    return register(context, req.raw, 'dynamic')
  })
  app.all('/auth/v1/oauth/*', () => refuseSignIns(context))
  app.all('/auth/v1/.well-known/oauth-authorization-server', () => refuseSignIns(context))
  app.all('/auth/v1/user/oauth/grants', async ({ req }) => {
    await context.database.owner(tx => requireCaller(tx, context, req.raw))
    return refuseSignIns(context)
  })
}

function addAdminRoutes(app: Hono, context: AuthContext): void {
  const { database } = context
  const path = '/auth/v1/admin/oauth/clients'
  app.use('/auth/v1/admin/oauth/*', async ({ req }, next) => {
    await requireServiceRole(context, req.raw)
    requireEnabled(context)
    await next()
  })
  app.post(path, ({ req }) => register(context, req.raw, 'manual'))
  app.get(path, () =>
    database.owner(async tx => {
      const clients = await listClients(tx)
      return Response.json(
        clients.length === 0 ? {} : { clients: clients.map(client => describeClient(client)) },
      )
    }),
  )
  app.get(`${path}/:client`, ({ req }) =>
    database.owner(async tx => Response.json(describeClient(await requireClient(tx, req.param('client'))))),
  )
  app.put(`${path}/:client`, async ({ req }) => {
    await database.owner(tx => requireClient(tx, req.param('client')))
    const body = await readBody(req.raw)
    return database.owner(async tx => {
      const client = await requireClient(tx, req.param('client'))
      const change = readClientChange(body, client.client_type)
      return Response.json(describeClient(await changeClient(tx, context, client.id, change)))
    })
  })
  app.delete(`${path}/:client`, ({ req }) =>
    database.owner(async tx => {
      await removeClient(tx, context, (await requireClient(tx, req.param('client'))).id)
      return new Response(null, { status: 204 })
    }),
  )
  app.post(`${path}/:client/regenerate_secret`, ({ req }) =>
    database.owner(async tx => {
      const { id, client_type } = await requireClient(tx, req.param('client'))
      if (client_type !== 'confidential')
        throw new AuthError(400, 'validation_failed', 'Cannot regenerate secret for public client')
      const { client, secret } = await renewSecret(tx, context, id)
      return Response.json(describeClient(client, secret))
    }),
  )
}

async function register(
  context: AuthContext,
  request: Request,
  type: 'manual' | 'dynamic',
): Promise<Response> {
  const newClient = readNewClient(await readBody(request))
  const { client, secret } = await context.database.owner(tx => addClient(tx, context, newClient, type))
  return Response.json(describeClient(client, secret), { status: 201 })
}

/** @throws 400 for anything but a UUID, 404 for an unknown or deleted client */
async function requireClient(tx: Queries, id: string): Promise<ClientRow> {
  if (!isUuid(id)) throw new AuthError(400, 'validation_failed', 'invalid client_id format')
  const client = await findClient(tx, id)
  if (!client) throw new AuthError(404, 'oauth_client_not_found', 'OAuth client not found')
  return client
}

function requireEnabled({ settings }: AuthContext): void {
  if (!settings.oauthServer.enabled) throw new AuthError(404, 'feature_disabled', 'OAuth server is disabled')
}

/** Apps can be registered, but not sign in: the flow with its consent page does not exist here. */
function refuseSignIns(context: AuthContext): Response {
  requireEnabled(context)
  const message = 'Sign-ins with the OAuth server do not exist in this backend; it only registers clients'
  throw new AuthError(404, 'feature_disabled', message)
}
