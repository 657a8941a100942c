// The users of an auth server, through its admin API.
import * as v from 'valibot'
import { serviceToken, type Server } from '../servers.ts'

const usersSchema = v.object({ users: v.array(v.object({ id: v.string() })) })

const ADMIN_HEADERS = { authorization: `Bearer ${serviceToken()}` }

export async function removeUsers(server: Server): Promise<void> {
  for (;;) {
    const ids = await usersOf(server)
    if (ids.length === 0) return
    for (const id of ids)
      await server.send({
        method: 'DELETE',
        path: `/admin/users/${id}`,
        headers: ADMIN_HEADERS,
        body: undefined,
      })
  }
}

/**
 * The first hundred ids.
 * @throws Error if the server can't be reached, or has other keys
 */
export async function usersOf(original: Server): Promise<string[]> {
  const path = '/admin/users?per_page=100'
  const request = { method: 'GET', path, headers: ADMIN_HEADERS, body: undefined }
  const { status, body } = await original.send(request).catch((error: unknown) => {
    throw new Error(`The original at ${original.base} can't be reached: ${String(error)}`)
  })
  const parsed = v.safeParse(usersSchema, body)
  if (parsed.success) return parsed.output.users.map(({ id }) => id)
  throw new Error(
    `The original at ${original.base} answered ${status} to its list of users. Start it with the profile's environment.`,
  )
}
