// Checks what the policies on realtime.messages allow on a private topic, using test messages that are rolled
// back.
import { randomUUID } from 'node:crypto'
import { type Database, type Queries, assumeRole } from '../database/index.ts'
import { textOf } from '../shared/fields.ts'
import { UnavailableError } from '../shared/unavailable.ts'
import type { Claims } from '../keys/index.ts'

/** The extension of a message, which policies can check. */
export type Extension = 'broadcast' | 'presence'
export type Permissions = Readonly<Partial<Record<Extension, boolean>>>

export interface Authorizer {
  /** The extensions that a caller may receive. Throws `PolicyError`. */
  mayRead(claims: Claims, topic: string, extensions: readonly Extension[]): Promise<Permissions>
  /** Whether a caller may send broadcasts and presence. Throws `PolicyError`. */
  mayWrite(claims: Claims, topic: string): Promise<Permissions>
}

/** A policy failed with an error. */
export class PolicyError extends Error {
  override name = 'PolicyError'
}

const INSUFFICIENT_PRIVILEGE = '42501'

export function createAuthorizer(database: Database): Authorizer {
  const ask = (topic: string, work: (tx: Queries) => Promise<Permissions>) => {
    // PostgreSQL text cannot contain NUL, so no policy can match such a topic.
    if (topic.includes('\0')) return Promise.resolve({ broadcast: false, presence: false })
    return takenBack(database, work)
  }
  return {
    mayRead: (claims, topic, extensions) => ask(topic, tx => tryReads(tx, claims, topic, extensions)),
    mayWrite: (claims, topic) => ask(topic, tx => tryWrites(tx, claims, topic)),
  }
}

async function tryReads(
  tx: Queries,
  claims: Claims,
  topic: string,
  extensions: readonly Extension[],
): Promise<Permissions> {
  const probes = extensions.map(extension => ({ extension, id: randomUUID() }))
  for (const { extension, id } of probes)
    await tx.query('select realtime.probe($1, $2, $3)', [id, topic, extension])
  await become(tx, claims, topic)
  const rows = await tx.query<{ id: string }>(
    'select id from realtime.messages where id = any ($1::uuid[])',
    [probes.map(({ id }) => id)],
  )
  const ids = new Set(rows.map(row => row.id))
  return Object.fromEntries(probes.map(({ extension, id }) => [extension, ids.has(id)]))
}

async function tryWrites(tx: Queries, claims: Claims, topic: string): Promise<Permissions> {
  await become(tx, claims, topic)
  return {
    broadcast: await tryWrite(tx, topic, 'broadcast'),
    presence: await tryWrite(tx, topic, 'presence'),
  }
}

async function tryWrite(tx: Queries, topic: string, extension: Extension): Promise<boolean> {
  await tx.query('savepoint probe')
  try {
    await tx.query('insert into realtime.messages (topic, extension) values ($1, $2)', [topic, extension])
    return true
  } catch (error) {
    if (textOf(error, 'code') !== INSUFFICIENT_PRIVILEGE) throw error
    await tx.query('rollback to savepoint probe')
    return false
  }
}

async function become(tx: Queries, claims: Claims, topic: string): Promise<void> {
  await assumeRole(tx, claims)
  await tx.query("select set_config('realtime.topic', $1, true)", [topic])
}

/**
 * Carries the result out of a transaction that is rolled back, so that probes reach no trigger or listener.
 */
class TakenBack extends Error {
  readonly answer: Permissions

  constructor(answer: Permissions) {
    super('taken back')
    this.answer = answer
  }
}

async function takenBack(
  database: Database,
  work: (tx: Queries) => Promise<Permissions>,
): Promise<Permissions> {
  try {
    return await database.authenticator(async tx => {
      throw new TakenBack(await work(tx))
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.answer
    if (error instanceof UnavailableError) throw error
    throw new PolicyError('A policy on realtime.messages failed', { cause: error })
  }
}
