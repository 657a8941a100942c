// Reads the files of an existing project from its folder `supabase`: config, migrations and seeds.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { readConfig, type ProjectConfig, type ProjectOptions } from './config.ts'
import { ProjectError } from './errors.ts'
import { readText, type Text } from './read-text.ts'
import type { Environment } from './toml.ts'

export interface SqlFile {
  /** The path as the project's owner would write it. */
  readonly name: string
  readonly sql: string
  /** Why it cannot run. */
  readonly problem?: ProjectError
}

export interface Migration extends SqlFile {
  /** The part of the file name before the first underscore. */
  readonly version: string
  readonly title: string
}

export interface Seed extends SqlFile {
  readonly hash: string
}

export interface Project {
  readonly config: ProjectConfig
  /** Runs before the first migration, in a new database. */
  readonly roles: Seed | undefined
  readonly migrations: readonly Migration[]
  readonly seeds: readonly Seed[]
  /** Files in the migrations folder that are not migrations. */
  readonly skipped: readonly string[]
}

/**
 * Reads the project in `dir`, the folder that contains `supabase`.
 * @throws ProjectError if there is no project, or one of its files is invalid
 */
export function readProject(dir: string, options: ProjectOptions = {}): Project {
  const root = resolve(dir)
  const folder = join(root, 'supabase')
  if (!isFolder(folder)) {
    const here = existsSync(join(root, 'config.toml')) || isFolder(join(root, 'migrations'))
    const fix = here ? 'Pass the folder above it.' : 'Pass the folder that contains `supabase`.'
    throw new ProjectError(root, undefined, `contains no folder \`supabase\`. ${fix}`)
  }
  const config = readProjectConfig(folder, options)
  const nameOf = (path: string) => relative(root, path)
  const { migrations, skipped } = readMigrations(join(folder, 'migrations'), nameOf)
  const roles = join(folder, 'roles.sql')
  return {
    config,
    roles: existsSync(roles) ? readSeed(roles, nameOf) : undefined,
    migrations: config.runsMigrations ? migrations : [],
    seeds: readSeeds(folder, config.seedPatterns ?? [], nameOf),
    skipped,
  }
}

function readProjectConfig(folder: string, options: ProjectOptions): ProjectConfig {
  const file = join(folder, 'config.toml')
  const variables = [join(folder, '..', '.env'), join(folder, '.env')].filter(path => existsSync(path))
  const contents = variables.map(path => Object.entries(parseEnv(readText(path, path).text)))
  const environment: Environment = { ...Object.fromEntries(contents.flat()), ...process.env }
  return readConfig(file, existsSync(file) ? textOrThrow(readText(file, file)) : '', environment, options)
}

function textOrThrow({ text, problem }: Text): string {
  if (problem) throw problem
  return text
}

const sqlOf = ({ text, problem }: Text) => ({ sql: text, ...(problem ? { problem } : {}) })

/** As in the CLI, where the first file with such a name comes from its first versions, before migrations were run. */
function isFromFirstVersions(file: string, index: number): boolean {
  const [, time = '99999999999999'] = /^(\d{14})_init\.sql$/.exec(file) ?? []
  return index === 0 && time < '20211209000000'
}

function readMigrations(folder: string, nameOf: (path: string) => string) {
  const entries = isFolder(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  const names = entries.filter(entry => !entry.isDirectory()).map(({ name }) => name)
  const files = names.filter(name => name.endsWith('.sql')).sort()
  const migrations: Migration[] = []
  const skipped: string[] = []
  for (const [index, file] of files.entries()) {
    const path = join(folder, file)
    const [, version, title] = /^(\d+)_(.*)\.sql$/.exec(file) ?? []
    const name = nameOf(path)
    if (version === undefined || isFromFirstVersions(file, index)) skipped.push(name)
    else migrations.push({ name, ...sqlOf(readText(path, name)), version, title: title ?? '' })
  }
  const twice = migrations.find((one, index) => migrations[index + 1]?.version === one.version)
  if (twice) {
    throw new ProjectError(
      twice.name,
      undefined,
      `another migration also has version ${twice.version}. Rename one.`,
    )
  }
  return { migrations, skipped }
}

function readSeeds(folder: string, patterns: readonly string[], nameOf: (path: string) => string): Seed[] {
  const paths = patterns.flatMap(pattern => globSync(pattern, { cwd: folder }).sort())
  return [...new Set(paths.map(path => resolve(folder, path)))].map(path => readSeed(path, nameOf))
}

function readSeed(path: string, nameOf: (path: string) => string): Seed {
  const name = nameOf(path)
  const text = readText(path, name)
  return { name, ...sqlOf(text), hash: createHash('sha256').update(text.text).digest('hex') }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
