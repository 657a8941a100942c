// Who PGlite's only session belongs to. It starts as the superuser, and PostgreSQL lets a session whose login was a
// superuser's become any role again, by a statement that any function may run. So the login itself is changed while
// work of `authenticator` runs: in PostgreSQL's memory, where no SQL can change it back.
import type { PGlite } from '@electric-sql/pglite'
import { fieldOf } from '../../shared/fields.ts'
import { EngineError, type Session } from '../engine.ts'

export const RETURN_TO_OWNER = 'set session authorization postgres'

/** The OID of the superuser that every cluster has from the start. */
const BOOTSTRAP = 10
/** Two roles that every cluster has, of which the first is granted the second, with their OIDs. */
const MONITOR = { name: 'pg_monitor', oid: 3373 } as const
const READER = { name: 'pg_read_all_settings', oid: 3374 } as const

/**
 * PostgreSQL's static variables `SessionUserId` and `AuthenticatedUserId`, as distances from `CurrentUserId`, which
 * `OuterUserId` follows.
 */
const SESSION = 2
const LOGIN = 5

/** The part of Emscripten's memory that is used; PGlite publishes no types for it. */
interface Memory {
  /** Replaced when the memory grows. */
  readonly HEAPU32: Uint32Array
  /** The end of the static variables. */
  readonly ___stack_pointer: { readonly value: number }
}

/** Their place in the memory, the same for all engines of one process, which have the same WASM. */
let place: Promise<number> | undefined

export interface Logins {
  /**
   * Runs work whose transactions are those of `authenticator`; they still begin with
   * `set local session authorization authenticator`.
   */
  asAuthenticator<T>(work: () => Promise<T>, hasFailed: () => boolean): Promise<T>
  /** Runs work as a role, also amid a transaction of the owner. */
  asRole<T>(session: Session, role: string, work: () => Promise<T>): Promise<T>
}

/**
 * Finds the login of a new engine.
 * @throws EngineError if this PGlite has its variables elsewhere
 */
export async function openLogins(driver: PGlite): Promise<Logins> {
  const memory = driver.Module as unknown as Memory
  const at = await (place ??= findPlace(driver, memory))
  // The end of a transaction restores this value; without one, it would restore nothing.
  await driver.exec(RETURN_TO_OWNER)
  let authenticator: number | undefined
  const loggedIn = async <T>(login: number, work: () => Promise<T>): Promise<T> => {
    memory.HEAPU32[at + LOGIN] = login
    try {
      return await work()
    } finally {
      memory.HEAPU32[at + LOGIN] = BOOTSTRAP
    }
  }
  return {
    async asAuthenticator(work, hasFailed) {
      authenticator ??= await oidOf(driver, 'authenticator')
      try {
        return await loggedIn(authenticator, work)
      } finally {
        // A function may leave a role and settings to the session, but the next work is the owner's.
        if (!hasFailed()) await driver.exec(`${RETURN_TO_OWNER}; reset all`)
      }
    },
    async asRole(session, role, work) {
      await session.query(`select set_config('session_authorization', $1, false)`, [role])
      const result = await loggedIn(memory.HEAPU32[at + SESSION] ?? BOOTSTRAP, work)
      await session.exec(RETURN_TO_OWNER)
      return result
    },
  }
}

async function oidOf(driver: PGlite, role: string): Promise<number> {
  const { rows } = await driver.query<{ oid: string }>('select to_regrole($1)::oid::text as oid', [role])
  return Number(rows[0]?.oid)
}

/** Finds the variables by values that only they have, and tries whether the login decides. */
async function findPlace(driver: PGlite, memory: Memory): Promise<number> {
  await driver.exec(`set session authorization ${MONITOR.name}; set role ${READER.name}`)
  const offsets = candidates(memory)
  const [at] = offsets
  if (at === undefined || offsets.length > 1) throw unknownLayout()
  memory.HEAPU32[at + LOGIN] = MONITOR.oid
  const refusal: unknown = await driver.exec(RETURN_TO_OWNER).then(
    () => undefined,
    (error: unknown) => error,
  )
  memory.HEAPU32[at + LOGIN] = BOOTSTRAP
  if (fieldOf(refusal, 'code') !== '42501') throw unknownLayout()
  return at
}

function candidates({ HEAPU32: words, ___stack_pointer: end }: Memory): number[] {
  const offsets: number[] = []
  const last = end.value / Uint32Array.BYTES_PER_ELEMENT
  for (let at = words.indexOf(READER.oid); at >= 0 && at < last; at = words.indexOf(READER.oid, at + 1)) {
    const fits =
      words[at + 1] === READER.oid && words[at + SESSION] === MONITOR.oid && words[at + LOGIN] === BOOTSTRAP
    if (fits) offsets.push(at)
  }
  return offsets
}

const unknownLayout = () =>
  new EngineError(
    'This version of PGlite stores the user of its session elsewhere, so that users of the API could become the owner. ' +
      'Install the version that the backend names in its package.json.',
  )
