// The realtime schema, brought up to date at every start.
import { createHash, randomBytes } from 'node:crypto'
import { ANNOUNCE_SCHEMA } from './sql/announce.ts'
import { MESSAGES_SCHEMA } from './sql/messages.ts'
import type { Database } from '../database/index.ts'

const SCRIPT = `
create schema if not exists realtime;
grant usage on schema realtime to anon, authenticated, service_role;
${MESSAGES_SCHEMA}
${ANNOUNCE_SCHEMA}`

const VERSION = createHash('sha256').update(SCRIPT).digest('hex').slice(0, 16)

/** May run again over any earlier version; leaves its version as the schema's comment. */
export const REALTIME_SCHEMA = `${SCRIPT}\ncomment on schema realtime is 'Chartroom ${VERSION}';`

/**
 * Runs the schema's script where it is not the one that the data folder knows, and drops what a crash left behind.
 * Answers the channel on which everything is announced from now on.
 */
export async function prepareRealtime(database: Database): Promise<string> {
  const channel = `chartroom_${randomBytes(16).toString('hex')}`
  await database.owner(async tx => {
    const [known] = await tx.query<{ comment: string | null }>(
      `select obj_description(to_regnamespace('realtime'), 'pg_namespace') as comment`,
    )
    await tx.script(
      known?.comment === `Chartroom ${VERSION}` ? 'delete from realtime.outbox' : REALTIME_SCHEMA,
    )
    await tx.query('update realtime.announcer set channel = $1', [channel])
  })
  return channel
}
