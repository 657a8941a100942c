// The state of a project: its files compared with what its database has.
import { createHash } from 'node:crypto'
import type { Driver, Engine } from '../database/index.ts'
import { extensionsNamed } from '../database/index.ts'
import type { Project, SqlFile } from './files.ts'
import { findMissingGrants, type MissingGrants } from './grants.ts'

/**
 * `changed`: differs from what was applied. `missing`: applied, but the file is gone. `renamed`: the same SQL was
 * applied under a version whose file is gone, so it is not applied again. `skipped`: recorded without being run.
 */
export type MigrationState = 'applied' | 'pending' | 'changed' | 'missing' | 'renamed' | 'skipped'

export interface MigrationStatus {
  readonly version: string
  readonly title: string
  /** The path of the file; null if it is gone. */
  readonly file: string | null
  readonly state: MigrationState
  /** ISO time; null if it is not applied, or was applied by another program. */
  readonly appliedAt: string | null
}

/** `added`: the file is newer than the seeding of the database. */
export interface SeedStatus {
  readonly file: string
  readonly state: 'applied' | 'pending' | 'changed' | 'missing' | 'added'
}

/** A scheduled job, without its command, which may contain keys. */
export interface JobStatus {
  readonly name: string
  readonly schedule: string
  readonly isActive: boolean
}

/** What the database has of the project. */
export interface DatabaseFacts {
  /** Version of PostgreSQL. */
  readonly version: string
  readonly migrations: readonly MigrationStatus[]
  readonly seeds: readonly SeedStatus[]
  /** Extensions that exist in name only, and the files that create them. */
  readonly extensions: readonly { readonly name: string; readonly file: string }[]
  readonly jobs: readonly JobStatus[]
  readonly missingGrants: MissingGrants | undefined
  readonly hasUsers: boolean
}

type Query = <Row>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>

const queryOf =
  (driver: Driver): Query =>
  async <Row>(sql: string, parameters: readonly unknown[] = []) =>
    (await driver.query<Row>(sql, [...parameters])).rows

const TIMES = `
create table if not exists supabase_migrations.chartroom_times (version text primary key, applied_at timestamptz);`

const exists = async (query: Query, name: string): Promise<boolean> =>
  (await query<{ found: boolean }>('select to_regclass($1) is not null as found', [name]))[0]?.found === true

/**
 * Stores when migrations were applied: with `now`, that of the versions that have no time yet; otherwise it marks the
 * present ones as applied before.
 */
export async function storeTimes({ driver }: Pick<Engine, 'driver'>, now: boolean): Promise<void> {
  const query = queryOf(driver)
  if (!(await exists(query, 'supabase_migrations.schema_migrations'))) return
  await driver.exec(TIMES)
  await query(
    `insert into supabase_migrations.chartroom_times (version, applied_at)
     select version, ${now ? 'now()' : 'null'} from supabase_migrations.schema_migrations
     on conflict (version) do nothing`,
  )
}

/** Reads the state; `exposesNew` as in `findMissingGrants`. */
export async function readDatabaseFacts(
  { driver, extensions }: Pick<Engine, 'driver' | 'extensions'>,
  project: Project,
  exposesNew: boolean,
): Promise<DatabaseFacts> {
  const query = queryOf(driver)
  const [server] = await query<{ server_version: string }>('show server_version')
  const [users] = await query<{ row: boolean }>('select exists(select from auth.users) as found')
  const { empty } = await extensions.list()
  const files = [...(project.roles ? [project.roles] : []), ...project.migrations, ...project.seeds]
  return {
    version: server?.server_version.split(' ')[0] ?? '',
    migrations: compareMigrations(project, await readApplied(query)),
    seeds: compareSeeds(project, await readSeeded(query)),
    extensions: files.flatMap(file => emptyIn(file, empty)),
    jobs: await readJobs(query),
    missingGrants: await findMissingGrants(query, {
      schemas: project.config.api.schemas ?? ['public'],
      exposesNew,
    }),
    hasUsers: users?.row === true,
  }
}

const emptyIn = (file: SqlFile, empty: readonly string[]) =>
  extensionsNamed(file.sql)
    .filter(name => empty.includes(name))
    .map(name => ({ name, file: file.name }))

interface AppliedMigration {
  readonly version: string
  readonly name: string | null
  /** MD5 of the script; null if its statements were recorded separately, as the Supabase CLI does. */
  readonly digest: string | null
  /** Recorded without being run. */
  readonly is_skipped: boolean
  readonly applied_at: string | null
}

async function readApplied(query: Query): Promise<readonly AppliedMigration[]> {
  if (!(await exists(query, 'supabase_migrations.schema_migrations'))) return []
  const times = (await exists(query, 'supabase_migrations.chartroom_times'))
    ? 'left join supabase_migrations.chartroom_times t using (version)'
    : 'cross join (select null::timestamptz as applied_at) t'
  const isSkipped = (await exists(query, 'supabase_migrations.skipped_migrations'))
    ? 'exists(select from supabase_migrations.skipped_migrations s where s.version = m.version)'
    : 'false'
  return query(
    `select m.version, m.name, case when cardinality(m.statements) = 1 then md5(m.statements[1]) end as digest,
       ${isSkipped} as is_skipped,
       to_char(t.applied_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as applied_at
     from supabase_migrations.schema_migrations m ${times} order by m.version`,
  )
}

const digestOf = (sql: string): string => createHash('md5').update(sql).digest('hex')

function compareMigrations(
  { migrations }: Project,
  applied: readonly AppliedMigration[],
): readonly MigrationStatus[] {
  const byVersion = new Map(applied.map(each => [each.version, each]))
  const versions = new Set(migrations.map(({ version }) => version))
  const deleted = applied.filter(({ version }) => !versions.has(version))
  const goneDigests = new Set(deleted.flatMap(({ digest }) => digest ?? []))
  const present = migrations.map(({ version, title, name, sql }): MigrationStatus => {
    const record = byVersion.get(version)
    const digest = digestOf(sql)
    const file = { version, title, file: name }
    if (!record) return { ...file, state: goneDigests.has(digest) ? 'renamed' : 'pending', appliedAt: null }
    if (record.is_skipped) return { ...file, state: 'skipped', appliedAt: null }
    const isSame = record.digest === null || record.digest === digest
    return { ...file, state: isSame ? 'applied' : 'changed', appliedAt: record.applied_at }
  })
  const missing = deleted.map(({ version, name, applied_at }): MigrationStatus => ({
    version,
    title: name ?? '',
    file: null,
    state: 'missing',
    appliedAt: applied_at,
  }))
  return [...present, ...missing].sort((a, b) => (a.version < b.version ? -1 : a.version > b.version ? 1 : 0))
}

interface SeededFile {
  readonly path: string
  readonly hash: string
}

async function readSeeded(query: Query): Promise<readonly SeededFile[]> {
  if (!(await exists(query, 'supabase_migrations.seed_files'))) return []
  return query('select path, hash from supabase_migrations.seed_files order by path')
}

/** Roles are created by a separate file, before the migrations. */
function compareSeeds({ roles, seeds }: Project, seeded: readonly SeededFile[]): readonly SeedStatus[] {
  const hashes = new Map(seeded.map(({ path, hash }) => [path, hash]))
  const files = [...(roles ? [roles] : []), ...seeds]
  const names = new Set(files.map(({ name }) => name))
  const isSeeded = seeded.some(({ path }) => path !== roles?.name)
  const present = files.map(({ name, hash }): SeedStatus => {
    const before = hashes.get(name)
    if (before === undefined) return { file: name, state: isSeeded ? 'added' : 'pending' }
    return { file: name, state: before === hash ? 'applied' : 'changed' }
  })
  const missing = seeded
    .filter(({ path }) => !names.has(path))
    .map(({ path }): SeedStatus => ({ file: path, state: 'missing' }))
  return [...present, ...missing]
}

async function readJobs(query: Query): Promise<readonly JobStatus[]> {
  if (!(await exists(query, 'cron.job'))) return []
  const rows = await query<{ jobid: string; jobname: string | null; schedule: string; active: boolean }>(
    'select jobid::text, jobname, schedule, active from cron.job order by jobid',
  )
  return rows.map(({ jobid, jobname, schedule, active }) => ({
    name: jobname ?? `job ${jobid}`,
    schedule,
    isActive: active,
  }))
}
