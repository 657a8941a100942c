// The admin routes: list, create, change, ban and delete users with the secret key.
import type { Hono } from 'hono'
import { adminCreateUser } from '../admin/create.ts'
import { adminDeleteUser } from '../admin/delete.ts'
import { listAudit, listUsers } from '../admin/lists.ts'
import { loadUser } from '../admin/load.ts'
import { adminUpdateUser } from '../admin/update.ts'
import { requireServiceRole } from '../sessions/caller.ts'
import type { AuthContext } from '../context.ts'
import { flagIn, readBody, readOptionalBody } from '../requests.ts'
import { describeUser } from '../accounts/users.ts'

export function addAdminRoutes(app: Hono, context: AuthContext): void {
  app.use('/auth/v1/admin/*', async ({ req }, next) => {
    await requireServiceRole(context, req.raw)
    return next()
  })
  app.get('/auth/v1/admin/audit', ({ req }) => listAudit(context, new URL(req.url)))
  app.get('/auth/v1/admin/users', ({ req }) => listUsers(context, new URL(req.url)))
  app.post('/auth/v1/admin/users', async ({ req }) =>
    Response.json(await adminCreateUser(context, await readBody(req.raw))),
  )
  app.get('/auth/v1/admin/users/:id', ({ req }) =>
    context.database.owner(async tx =>
      Response.json(await describeUser(tx, await loadUser(tx, req.param('id')))),
    ),
  )
  app.put('/auth/v1/admin/users/:id', async ({ req }) =>
    Response.json(await adminUpdateUser(context, req.param('id'), await readBody(req.raw))),
  )
  app.delete('/auth/v1/admin/users/:id', async ({ req }) => {
    const body = await readOptionalBody(req.raw)
    await adminDeleteUser(context, req.param('id'), flagIn(body, 'should_soft_delete'))
    return Response.json({})
  })
}
