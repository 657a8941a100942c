// The state of the embedded backend's project, as its endpoint describes it.
import {
  array,
  boolean,
  type InferOutput,
  nullable,
  nullish,
  number,
  object,
  picklist,
  safeParse,
  string,
} from 'valibot'

const texts = array(string())

const migration = object({
  version: string(),
  title: string(),
  /** Null if the file is gone. */
  file: nullable(string()),
  state: picklist(['applied', 'pending', 'changed', 'missing', 'renamed', 'skipped']),
  appliedAt: nullable(string()),
})

const failure = object({
  file: nullable(string()),
  line: nullable(number()),
  /** Words of PostgreSQL or of the backend. */
  message: string(),
  statement: nullable(string()),
  excerpt: array(object({ line: number(), text: string() })),
})

const projectState = object({
  revision: number(),
  resets: number(),
  name: string(),
  folder: string(),
  engine: object({ name: picklist(['pglite', 'postgres', 'url']), version: string() }),
  dataDir: nullable(string()),
  phase: picklist(['ready', 'applying', 'resetting']),
  canReset: boolean(),
  failure: nullable(failure),
  lastApplied: nullable(object({ files: texts, at: string() })),
  changedSections: texts,
  migrations: array(migration),
  seeds: array(
    object({
      file: string(),
      state: picklist(['applied', 'pending', 'changed', 'missing', 'added']),
    }),
  ),
  extensions: array(object({ name: string(), file: string() })),
  jobs: array(object({ name: string(), schedule: string(), isActive: boolean() })),
  notHonored: texts,
  skippedFiles: texts,
  functions: object({
    names: texts,
    deno: nullable(object({ version: string(), path: string() })),
    install: string(),
    ignoredPrograms: texts,
  }),
  missingGrants: nullish(object({ tables: texts, isExposedBySetting: boolean(), sql: string() })),
  hasUsers: boolean(),
})

export type ProjectState = InferOutput<typeof projectState>
export type ProjectMigration = InferOutput<typeof migration>
export type ProjectFailure = InferOutput<typeof failure>

/** Undefined for the response of another program. */
export const parseProjectState = (answer: unknown): ProjectState | undefined => {
  const parsed = safeParse(projectState, answer)
  return parsed.success ? parsed.output : undefined
}

/** What a list shows of a migration: `failed` is the pending one that the database refused. */
export type MigrationView = ProjectMigration['state'] | 'failed'

export const migrationView = (
  { file, state }: ProjectMigration,
  { failure: refused }: Pick<ProjectState, 'failure'>,
): MigrationView => (state === 'pending' && refused?.file === file ? 'failed' : state)

/** Whether the data is not what the files would create, so that a reset would change it. */
export const needsReset = ({ migrations, seeds, changedSections }: ProjectState): boolean =>
  migrations.some(({ state }) => state === 'changed' || state === 'missing' || state === 'renamed') ||
  seeds.some(({ state }) => state === 'changed' || state === 'missing' || state === 'added') ||
  changedSections.length > 0
