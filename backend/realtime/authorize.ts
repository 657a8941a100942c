// Whether policies on realtime.messages let a caller use a private topic.
import { assumeRole, type Database } from '../database.ts'
import type { Claims } from '../tokens.ts'

/** Answers true when the caller could read a broadcast of the topic, tried with a message that is taken back. */
export function createAuthorizer(database: Database): (claims: Claims, topic: string) => Promise<boolean> {
  return async (claims, topic) => {
    // PostgreSQL's text has no NUL, so no policy can allow such a topic.
    if (topic.includes('\0')) return false
    return database.owner(async tx => {
      const [probe] = await tx.query<{ id: string }>(
        `insert into realtime.messages (topic, extension) values ($1, 'broadcast')
         returning id, set_config('realtime.topic', $1, true)`,
        [topic],
      )
      await assumeRole(tx, claims)
      const seen = await tx.query('select from realtime.messages where id = $1', [probe?.id])
      await tx.query("select set_config('role', 'none', true)")
      await tx.query('delete from realtime.messages where id = $1', [probe?.id])
      return seen.length > 0
    })
  }
}
