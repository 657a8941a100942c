// Fills a new database with the demo: schema, accounts, rows and files.
import { hashPassword, createUser, DEFAULT_PASSWORD_COST } from '../auth/index.ts'
import { systemClock } from '../shared/clock.ts'
import type { DataDirectory } from '../shared/data-directory.ts'
import { type Database, type Preparation, copyFolder } from '../database/index.ts'
import { prepareRealtime } from '../realtime/index.ts'
import { copyBlobs, createDiskBlobs, type Blobs, prepareStorage } from '../storage/index.ts'
import { seedCharts } from './charts.ts'
import { CHARTS_POLICIES, HARBOUR_SCHEMA, TOPIC_POLICIES } from './schema.ts'
import { seedHarbour, type Account } from './seed.ts'

/** The default contents of a new database; the accounts' passwords have the usual hash cost. */
export function harbour(
  directory: DataDirectory | undefined,
  blobs: Blobs,
  passwordCost = DEFAULT_PASSWORD_COST,
): Preparation {
  return {
    kind: 'harbour',
    ...(passwordCost === DEFAULT_PASSWORD_COST ? {} : { variant: `cost${passwordCost}` }),
    prepare: (created, objects) => prepareHarbour(created, createDiskBlobs(objects), passwordCost),
    adopt: async objects => (directory ? copyFolder(objects, directory.objects) : copyBlobs(objects, blobs)),
  }
}

async function prepareHarbour(database: Database, blobs: Blobs, passwordCost: number): Promise<void> {
  await prepareStorage(database)
  await prepareRealtime(database)
  await database.owner(async tx => {
    for (const script of [HARBOUR_SCHEMA, CHARTS_POLICIES, TOPIC_POLICIES]) {
      await tx.script(script)
    }
  })
  const ids = await seedHarbour(database, account => signUp(database, account, passwordCost))
  await seedCharts(database, blobs, ids)
}

async function signUp(
  database: Database,
  { email, password }: Account,
  passwordCost: number,
): Promise<string> {
  const passwordHash = await hashPassword({ passwordCost }, password)
  const user = await database.owner(tx =>
    createUser(tx, { clock: systemClock }, { email, passwordHash, emailConfirmed: true }),
  )
  return user.id
}
