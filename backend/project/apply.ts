// Updates a database to its project: missing migrations, seeds (once), and buckets from the config.
import { type Database, type Driver, extensionsNamed, type Queries } from '../database/index.ts'
import type { Deno } from '../functions/index.ts'
import type { BucketConfig } from './config.ts'
import type { Migration, Project, Seed, SqlFile } from './files.ts'
import { findMissingGrants, type MissingGrants } from './grants.ts'
import { runFile, type RunQuery } from './run-file.ts'
import { readHistory, SKIP_RECORDS, skipMigrations } from './skips.ts'
import { storeSecrets } from './secrets.ts'

/** The result of applying a project's files at startup. */
export interface ProjectReport {
  /** Migrations run at this start. */
  readonly migrations: readonly string[]
  /** Migrations of the project that were skipped, at this start or before. */
  readonly skippedMigrations: readonly string[]
  readonly seeds: readonly string[]
  /** Extensions that exist in name only, with the file that requested each. */
  readonly emptyExtensions: readonly string[]
  /** Settings of config.toml that have no effect here. */
  readonly notHonored: readonly string[]
  /** Names of the project's Edge Functions if they are not run. */
  readonly functions: readonly string[]
  /** The project's Edge Functions if they are run, and the Deno that runs them. */
  readonly servedFunctions?: { readonly names: readonly string[]; readonly deno: Deno }
  /** Programs that could run functions, but are not run because the project may have put them there. */
  readonly ignoredPrograms?: readonly string[]
  /** Files in the migrations folder whose names are not migration names. */
  readonly skipped: readonly string[]
  /** What the API of a hosted project would refuse. */
  readonly missingGrants: MissingGrants | undefined
}

const RECORDS = `
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
create table if not exists supabase_migrations.seed_files (path text primary key, hash text not null);${SKIP_RECORDS}`

/**
 * @param exposesNew whether the API's roles have access to new tables without GRANT
 * @param skipVersions versions of migrations that are recorded, but not run
 * @throws ProjectError if the database rejects a file, whose changes are then rolled back up to the last statement that
 * cannot run inside a transaction, or if a version cannot be skipped
 */
export async function applyProject(
  database: Database,
  project: Project,
  exposesNew: boolean,
  skipVersions: readonly string[] = [],
): Promise<Omit<ProjectReport, 'functions' | 'servedFunctions' | 'ignoredPrograms'>> {
  return database.session(async engine => {
    const { driver } = engine
    const query = async <Row>(sql: string, parameters: readonly unknown[] = []) =>
      (await driver.query<Row>(sql, [...parameters])).rows
    const { empty } = await engine.extensions.list()
    await driver.exec(RECORDS)
    await skipMigrations(query, project, skipVersions)
    await storeSecrets(query, project.config.secrets)
    const { applied, skipped } = await readHistory(query)
    const files = await pendingFiles(query, project, applied)
    for (const file of files) await runFile(engine, file, run => recordFile(run, file))
    await addBuckets(driver, project.config.buckets)
    const seeds = (await isSeeded(query, project)) ? [] : project.seeds
    for (const seed of seeds) await runFile(engine, seed, run => recordFile(run, seed))
    return {
      migrations: files.flatMap(file => ('version' in file ? [file.name] : [])),
      skippedMigrations: project.migrations.flatMap(file => (skipped.has(file.version) ? [file.name] : [])),
      seeds: seeds.map(({ name }) => name),
      emptyExtensions: [...files, ...seeds].flatMap(file => emptyOf(file, empty)),
      notHonored: project.config.notHonored,
      skipped: project.skipped,
      missingGrants: await findMissingGrants(query, {
        schemas: project.config.api.schemas ?? ['public'],
        exposesNew,
      }),
    }
  })
}

type Query = Queries['query']

/** Roles are those of a new database, as in the CLI. */
async function pendingFiles(
  query: Query,
  { roles, migrations }: Project,
  applied: ReadonlySet<string>,
): Promise<(Seed | Migration)[]> {
  const pending = migrations.filter(({ version }) => !applied.has(version))
  const needsRoles = roles && applied.size === 0 && (await seedsOf(query)).every(path => path !== roles.name)
  return needsRoles ? [roles, ...pending] : pending
}

async function isSeeded(query: Query, { roles }: Project): Promise<boolean> {
  return (await seedsOf(query)).some(path => path !== roles?.name)
}

const seedsOf = async (query: Query) =>
  (await query<{ path: string }>('select path from supabase_migrations.seed_files')).map(({ path }) => path)

async function recordFile(run: RunQuery, file: Seed | Migration): Promise<void> {
  if ('hash' in file) {
    await run('insert into supabase_migrations.seed_files values ($1, $2)', [file.name, file.hash])
    return
  }
  // It may have been skipped, and reverted with the CLI.
  await run(
    `with migration as (insert into supabase_migrations.schema_migrations values ($1, $2, $3))
     delete from supabase_migrations.skipped_migrations where version = $1`,
    [file.version, [file.sql], file.title],
  )
}

function emptyOf(file: SqlFile, empty: readonly string[]): string[] {
  const names = extensionsNamed(file.sql).filter(name => empty.includes(name))
  return names.map(name => `${name} (${file.name})`)
}

async function addBuckets(driver: Driver, buckets: readonly BucketConfig[]): Promise<void> {
  for (const { name, public: isPublic = false, fileSizeLimit, allowedMimeTypes } of buckets) {
    await driver.query(
      `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
       values ($1, $1, $2, $3, $4) on conflict (id) do update set public = excluded.public,
       file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types`,
      [name, isPublic, fileSizeLimit ?? null, allowedMimeTypes ?? null],
    )
  }
}
