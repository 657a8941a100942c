// Migrations that are recorded as applied without being run, as `supabase migration repair --status applied` does, and
// remembered as skipped.
import type { Queries } from '../database/index.ts'
import { ProjectError } from './errors.ts'
import type { Migration, Project } from './files.ts'

/** A separate table: the CLI reads and writes the rows of its table. */
export const SKIP_RECORDS = `
create table if not exists supabase_migrations.skipped_migrations (version text primary key);`

export interface History {
  /** Versions that do not run again, including the skipped ones. */
  readonly applied: ReadonlySet<string>
  readonly skipped: ReadonlySet<string>
}

export async function readHistory(query: Queries['query']): Promise<History> {
  const rows = await query<{ version: string; is_skipped: boolean }>(
    `select m.version, s.version is not null as is_skipped from supabase_migrations.schema_migrations m
     left join supabase_migrations.skipped_migrations s using (version)`,
  )
  const skipped = rows.filter(row => row.is_skipped)
  return {
    applied: new Set(rows.map(({ version }) => version)),
    skipped: new Set(skipped.map(({ version }) => version)),
  }
}

/** @throws ProjectError for a version that no migration has, or that has run */
export async function skipMigrations(
  query: Queries['query'],
  { migrations }: Project,
  versions: readonly string[],
): Promise<void> {
  if (versions.length === 0) return
  const { applied, skipped } = await readHistory(query)
  const files = versions.map(version => {
    const file = migrations.find(migration => migration.version === version)
    if (!file) throw refuse(`no migration has the version ${version}. ${suggest(version, migrations)}`)
    if (applied.has(version) && !skipped.has(version))
      throw refuse(`${file.name} was applied already, so it cannot be skipped.`)
    return file
  })
  for (const { version, sql, title, problem } of files) {
    if (applied.has(version)) continue
    // Text that PostgreSQL refuses is not recorded either.
    const statements = problem ? [] : [sql]
    await query(
      `with migration as (insert into supabase_migrations.schema_migrations values ($1, $2, $3))
       insert into supabase_migrations.skipped_migrations values ($1) on conflict do nothing`,
      [version, statements, title],
    )
  }
}

const refuse = (reason: string) => new ProjectError('supabase/migrations', undefined, reason)

const SUGGESTED = 3

/** The migrations whose versions or names are most like what was given. */
function suggest(version: string, migrations: readonly Migration[]): string {
  if (migrations.length === 0) return 'The project has no migrations.'
  const matching = migrations.filter(({ name }) => name.toLowerCase().includes(version.toLowerCase()))
  const near = matching.length > 0 ? matching : nearestMigrations(version, migrations)
  const names = near.slice(0, SUGGESTED).map(migration => `${migration.version} (${migration.title})`)
  return `Similar: ${names.join(', ')}.`
}

function nearestMigrations(version: string, migrations: readonly Migration[]): readonly Migration[] {
  const likeness = (candidate: string) => {
    let start = 0
    while (start < version.length && version[start] === candidate[start]) start += 1
    let end = 0
    while (end < version.length - start && version.at(-1 - end) === candidate.at(-1 - end)) end += 1
    return start + end
  }
  return migrations.toSorted((one, b) => likeness(b.version) - likeness(one.version))
}
