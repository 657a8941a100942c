// Which texts the database takes as schedules of pg_cron: the same as the worker.
import { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { CRON_SYNTAX } from '../../../../backend/database/service-extensions/cron.ts'
import { NONE, TIMES } from '../../../harness/cron-schedules.ts'

test('only schedules of pg_cron are accepted', async () => {
  const database = await PGlite.create()
  await database.exec(`create schema cron; ${CRON_SYNTAX}`)
  const some = [...TIMES.map(([schedule]) => schedule), '@reboot', '5-2 * * * *']
  for (const schedule of [...NONE, ...some]) {
    const { rows } = await database.query('select cron._is_schedule($1) as is', [schedule])
    expect([schedule, rows]).toEqual([schedule, [{ is: some.includes(schedule) }]])
  }
  await database.close()
})
