// Updates a database to its project: missing migrations, seeds (once), and buckets from the config.
import {
  type Database,
  type Driver,
  type Engine,
  type ExtensionList,
  extensionsNamed,
} from '../database/index.ts'
import type { Deno } from '../functions/index.ts'
import { fieldOf, textOf } from '../shared/fields.ts'
import type { BucketConfig } from './config.ts'
import { ProjectError } from './errors.ts'
import type { Project, SqlFile } from './files.ts'
import { findMissingGrants, type MissingGrants } from './grants.ts'
import { type Part, partsOf } from './statements.ts'

/** The result of applying a project's files at startup. */
export interface ProjectReport {
  /** Migrations run at this start. */
  readonly migrations: readonly string[]
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
create table if not exists supabase_migrations.seed_files (path text primary key, hash text not null);`

/**
 * @param exposesNew whether the API's roles have access to new tables without GRANT
 * @throws ProjectError if the database rejects a file, whose changes are then rolled back up to the last statement that
 * cannot run inside a transaction
 */
export async function applyProject(
  database: Database,
  project: Project,
  exposesNew: boolean,
): Promise<Omit<ProjectReport, 'functions' | 'servedFunctions' | 'ignoredPrograms'>> {
  return database.session(async engine => {
    const { driver } = engine
    const query = async <Row>(sql: string, parameters: readonly unknown[] = []) =>
      (await driver.query<Row>(sql, [...parameters])).rows
    const { empty } = await engine.extensions.list()
    await driver.exec(RECORDS)
    const pending = await pendingMigrations(driver, project)
    for (const migration of pending) {
      await runFile(engine, migration, async query => {
        await query('insert into supabase_migrations.schema_migrations values ($1, $2, $3)', [
          migration.version,
          [migration.sql],
          migration.title,
        ])
      })
    }
    await addBuckets(driver, project.config.buckets)
    const seeds = (await isSeeded(driver)) ? [] : project.seeds
    for (const seed of seeds) {
      await runFile(engine, seed, async query => {
        await query('insert into supabase_migrations.seed_files values ($1, $2)', [seed.name, seed.hash])
      })
    }
    return {
      migrations: pending.map(({ name }) => name),
      seeds: seeds.map(({ name }) => name),
      emptyExtensions: [...pending, ...seeds].flatMap(file => emptyOf(file, empty)),
      notHonored: project.config.notHonored,
      skipped: project.skipped,
      missingGrants: await findMissingGrants(query, {
        schemas: project.config.api.schemas ?? ['public'],
        exposesNew,
      }),
    }
  })
}

async function pendingMigrations(driver: Driver, { migrations }: Project) {
  const { rows } = await driver.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations',
  )
  const done = new Set(rows.map(row => row.version))
  return migrations.filter(({ version }) => !done.has(version))
}

async function isSeeded(driver: Driver): Promise<boolean> {
  const { rows } = await driver.query('select from supabase_migrations.seed_files limit 1')
  return rows.length > 0
}

type Query = (sql: string, parameters: unknown[]) => Promise<unknown>

async function runFile(
  { driver, extensions, returnToOwner }: Engine,
  file: SqlFile,
  record: (query: Query) => Promise<void>,
): Promise<void> {
  const sql = await extensions.provideFor(file.sql)
  const parts = partsOf(sql)
  const end: Part = { start: sql.length, sql: '', isOutside: false }
  let running = end
  try {
    // What is recorded is committed with the last part.
    for (const part of parts.at(-1)?.isOutside === false ? parts : [...parts, end]) {
      running = part
      if (part.isOutside) await driver.exec(part.sql)
      else
        await driver.transaction(async tx => {
          await tx.exec(part.sql)
          if (part.start + part.sql.length < sql.length) return
          // The file may have changed the role or the search path.
          await tx.exec(`${returnToOwner}; reset all`)
          await record((sql, parameters) => tx.query(sql, parameters))
        })
    }
  } catch (error) {
    const before = sql.slice(0, running.start)
    throw explain({ file, before, running: running.sql }, error, await extensions.list())
  } finally {
    // Otherwise a file's settings would affect every later request.
    await driver.exec(`${returnToOwner}; reset all; discard temp`)
  }
}

interface Place {
  readonly file: SqlFile
  /** What has run. */
  readonly before: string
  readonly running: string
}

function explain(
  { file, before, running }: Place,
  error: unknown,
  { owner, available }: ExtensionList,
): ProjectError {
  const message = error instanceof Error ? error.message : String(error)
  const position = Number(textOf(error, 'position') ?? fieldOf(error, 'position'))
  const missing = /extension "([^"]+)" is not available/.exec(message)?.[1]
  const named = missing === undefined ? -1 : running.indexOf(missing)
  const upTo = position > 0 ? Array.from(running).slice(0, position).join('') : running.slice(0, named + 1)
  const line = upTo === '' ? undefined : (before + upTo).split('\n').length
  const hints =
    missing === undefined
      ? [textOf(error, 'detail'), textOf(error, 'hint')]
      : [`${owner} has no extension ${missing}; it has ${available.join(', ')}.`]
  if (message.endsWith(String.raw`at or near "\"`)) hints.push('psql commands are not SQL. Remove the line.')
  if (before !== '') hints.push('The statements before it are kept, as by the Supabase CLI.')
  const sentences = [message, ...hints.filter(hint => hint !== undefined)]
  return new ProjectError(file.name, line, sentences.map(text => text.replace(/[^.]$/, '$&.')).join(' '))
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
