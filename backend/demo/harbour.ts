// Fills a new database with the demo: schema, accounts, rows and files.
import { createHash } from 'node:crypto'
import { hashPassword, createUser, DEFAULT_PASSWORD_COST } from '../auth/index.ts'
import { systemClock } from '../shared/clock.ts'
import type { DataDirectory } from '../shared/data-directory.ts'
import { type Database, type Preparation, copyFolder } from '../database/index.ts'
import { prepareRealtime } from '../realtime/index.ts'
import { copyBlobs, createDiskBlobs, type Blobs, ObjectStore, prepareStorage } from '../storage/index.ts'
import { seedCharts } from './charts.ts'
import { CHARTS_POLICIES, HARBOUR_SCHEMA, TOPIC_POLICIES } from './schema.ts'
import { seedHarbour, type Account } from './seed.ts'

/** What is added to the demo: SQL that runs as the owner, then files. */
export interface DemoContent {
  readonly sql: readonly string[]
  readonly files: readonly DemoFile[]
}

export interface DemoFile {
  readonly bucket: string
  readonly name: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

export interface HarbourOptions {
  readonly passwordCost?: number | undefined
  readonly content?: DemoContent | undefined
}

/** The default contents of a new database; the accounts' passwords have the usual hash cost. */
export function harbour(
  directory: DataDirectory | undefined,
  blobs: Blobs,
  { passwordCost = DEFAULT_PASSWORD_COST, content }: HarbourOptions = {},
): Preparation {
  const variant = [
    ...(passwordCost === DEFAULT_PASSWORD_COST ? [] : [`cost${passwordCost}`]),
    ...(content ? [digestOf(content)] : []),
  ].join('-')
  return {
    kind: 'harbour',
    ...(variant === '' ? {} : { variant }),
    async prepare(created, objects) {
      const store = createDiskBlobs(objects)
      await prepareHarbour(created, store, passwordCost)
      if (content) await addContent(created, store, content)
    },
    adopt: async objects => (directory ? copyFolder(objects, directory.objects) : copyBlobs(objects, blobs)),
  }
}

/** Other content is another prepared database. */
function digestOf({ sql, files }: DemoContent): string {
  const hash = createHash('sha256').update(sql.join('\n'))
  for (const { name, bytes } of files) hash.update(name).update(bytes)
  return hash.digest('hex').slice(0, 8)
}

async function addContent(database: Database, blobs: Blobs, { sql, files }: DemoContent): Promise<void> {
  // Each in a separate transaction, so that the times differ.
  for (const script of sql) await database.owner(tx => tx.script(script))
  const objects = new ObjectStore(database, blobs)
  for (const { bucket, name, contentType, bytes } of files) {
    const upload = { bytes: [bytes], contentType, cacheControl: 'max-age=3600', userMetadata: undefined }
    await objects.write({ role: 'service_role' }, { bucket, name }, upload, false)
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
