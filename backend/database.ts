// The database: one PGlite, shared by @supabase/lite and our own queries under one mutex.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { createLite, type Lite } from './lite.ts'
import { createMutex } from './mutex.ts'
import { keepTemplate, readTemplate, templateFile } from './template.ts'
import type { Secrets } from './data-directory.ts'
import type { Claims } from './tokens.ts'

/** Runs SQL and answers its rows. */
export interface Queries {
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
  /** Runs several statements, without parameters. */
  script(sql: string): Promise<void>
}

export interface Database {
  /** A transaction as the owner, past every policy. Not to be nested. */
  owner<T>(work: (tx: Queries) => Promise<T>): Promise<T>
  /** A transaction under a caller's role and claims, so that row-level security applies. Not to be nested. */
  as<T>(claims: Claims, work: (tx: Queries) => Promise<T>): Promise<T>
  /** Hands a request, whose body must already be in memory, to @supabase/lite. */
  fetch(request: Request): Promise<Response>
  /** Answers a REST request, whose body must already be in memory, under the given claims. */
  rest(request: Request, claims: Claims): Promise<Response>
  /** Calls back with each NOTIFY payload; must not run SQL itself before it returned. */
  listen(channel: string, callback: (payload: string) => void): Promise<void>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Folder of the cluster; memory when absent. */
  readonly path?: string
  readonly secrets: Secrets
  readonly accessTokenSeconds: number
}

const ROLES = `
do $$ begin
  if not exists (select from pg_roles where rolname = 'anon') then create role anon nologin; end if;
  if not exists (select from pg_roles where rolname = 'authenticated') then create role authenticated nologin; end if;
  if not exists (select from pg_roles where rolname = 'service_role') then create role service_role nologin bypassrls; end if;
end $$;`

const GRANTS = `
grant usage on schema auth, public to anon, authenticated, service_role;
grant all on all tables in schema auth to service_role;
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;`

/** Opens the database and runs `prepare` once in its life, when it is new. */
export async function openDatabase(
  options: DatabaseOptions,
  prepare: (database: Database) => Promise<void>,
): Promise<Database> {
  const marker = options.path === undefined ? undefined : join(options.path, 'CHARTROOM_READY')
  const isNew = marker === undefined || !existsSync(marker)
  if (isNew && options.path !== undefined && existsSync(options.path)) setAside(options.path)
  const connection = await connect(options.path, isNew)
  try {
    await connection.driver.exec(ROLES)
    const lite = await createLite(connection, options.secrets, options.accessTokenSeconds)
    const database = shareDatabase(connection, lite)
    if (isNew) {
      await connection.driver.exec(GRANTS)
      await prepare(database)
      if (marker !== undefined) writeFileSync(marker, '')
    }
    return database
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Without its marker a cluster was left half-made by a start that never finished. It is kept, lest that be wrong. */
function setAside(path: string): void {
  rmSync(`${path}.unfinished`, { recursive: true, force: true })
  renameSync(path, `${path}.unfinished`)
}

const TIMESTAMP = 1114
const TIMESTAMP_TZ = 1184

/** Times as PostgREST writes them; lite passes PostgreSQL's own spelling on where a row is returned by a write. */
const TIME_PARSERS = {
  [TIMESTAMP]: (text: string) => text.replace(' ', 'T'),
  [TIMESTAMP_TZ]: (text: string) => text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'),
}

async function connect(path: string | undefined, isNew: boolean): Promise<PgliteConnection> {
  const { createPgliteConnection } = await import('@supabase/lite/pglite')
  if (path !== undefined) mkdirSync(path, { recursive: true, mode: 0o700 })
  const place = path === undefined ? {} : { url: path }
  const template = isNew ? templateFile() : undefined
  const copy = template === undefined ? undefined : readTemplate(template)
  const connection = await createPgliteConnection({
    ...place,
    pgliteOptions: { parsers: TIME_PARSERS, ...(copy === undefined ? {} : { loadDataDir: copy }) },
  })
  await connection.driver.waitReady
  if (template !== undefined && copy === undefined) {
    await keepTemplate(template, await connection.driver.dumpDataDir('none'))
  }
  return connection
}

function shareDatabase(connection: PgliteConnection, lite: Lite): Database {
  const mutex = createMutex()
  const transaction = <T>(work: (tx: Queries) => Promise<T>) =>
    mutex.run(() =>
      connection.driver.transaction(tx =>
        work({
          query: async <Row>(sql: string, parameters: readonly unknown[] = []) =>
            (await tx.query<Row>(sql, [...parameters])).rows,
          script: async sql => void (await tx.exec(sql)),
        }),
      ),
    )
  return {
    owner: transaction,
    as: (claims, work) =>
      transaction(async tx => {
        await assumeRole(tx, claims)
        return work(tx)
      }),
    fetch: request => mutex.run(() => lite.fetch(request)),
    rest: (request, claims) => mutex.run(() => lite.rest(request, { ...claims, role: knownRole(claims) })),
    async listen(channel, callback) {
      await mutex.run(() => connection.driver.listen(channel, callback))
    },
    async close() {
      await mutex.close()
      await connection.close()
    },
  }
}

const KNOWN_ROLES = ['anon', 'authenticated', 'service_role']

function knownRole({ role }: Claims): string {
  return KNOWN_ROLES.includes(role) ? role : 'anon'
}

/** Puts the rest of a transaction under a caller's role and claims. */
export async function assumeRole(tx: Queries, claims: Claims): Promise<void> {
  const role = knownRole(claims)
  await tx.query(
    `select set_config('request.jwt.claims', $1, true), set_config('request.jwt.claim.sub', $2, true),
            set_config('request.jwt.claim.role', $3, true), set_config('request.jwt.claim.email', $4, true),
            set_config('role', $3, true)`,
    [JSON.stringify(claims), claims.sub ?? '', role, typeof claims.email === 'string' ? claims.email : ''],
  )
}
