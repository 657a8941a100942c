// The realtime schema, updated at every start.
import { createHash, randomBytes } from 'node:crypto'
import { ANNOUNCE_SCHEMA, FOLLOW_PUBLICATION } from './sql/announce.ts'
import { MESSAGES_SCHEMA } from './sql/messages.ts'
import type { Database } from '../database/index.ts'

const SCRIPT = `
create schema if not exists realtime;
grant usage on schema realtime to anon, authenticated, service_role;
${MESSAGES_SCHEMA}
${ANNOUNCE_SCHEMA}`

const VERSION = createHash('sha256')
  .update(SCRIPT + FOLLOW_PUBLICATION)
  .digest('hex')
  .slice(0, 16)

/**
 * Runs the schema's script unless the data folder already has this version, and deletes what a crash left
 * behind. Returns the notification channel for all future announcements.
 */
export async function prepareRealtime(database: Database): Promise<string> {
  const channel = `chartroom_${randomBytes(16).toString('hex')}`
  const isCurrent = await database.owner(async tx => {
    const [row] = await tx.query<{ comment: string | null; hasOldTriggers: boolean }>(
      `select obj_description(to_regnamespace('realtime'), 'pg_namespace') as comment,
        exists (select from pg_trigger where tgname = 'chartroom_announce') as "hasOldTriggers"`,
    )
    const isCurrent = row?.comment === `Chartroom ${VERSION}` && !row.hasOldTriggers
    // It may run again on any earlier version.
    await tx.script(isCurrent ? 'delete from realtime.outbox' : SCRIPT)
    await tx.query('update realtime.announcer set channel = $1', [channel])
    return isCurrent
  })
  if (isCurrent) return channel
  await database.admin(FOLLOW_PUBLICATION)
  await database.owner(tx => tx.script(`comment on schema realtime is 'Chartroom ${VERSION}'`))
  return channel
}
