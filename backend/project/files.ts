// Reads the files of an existing project from its folder `supabase`: config, migrations and seeds.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { readConfig, type ProjectConfig, type ProjectOptions } from './config.ts'
import { ProjectError } from './errors.ts'
import type { Environment } from './toml.ts'

export interface SqlFile {
  /** The path as the project's owner would write it. */
  readonly name: string
  readonly sql: string
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
  return {
    config,
    migrations: config.runsMigrations ? migrations : [],
    seeds: readSeeds(folder, config.seedPatterns ?? [], nameOf),
    skipped,
  }
}

function readProjectConfig(folder: string, options: ProjectOptions): ProjectConfig {
  const file = join(folder, 'config.toml')
  const variables = [join(folder, '..', '.env'), join(folder, '.env')].filter(path => existsSync(path))
  const contents = variables.map(path => Object.entries(parseEnv(readText(path))))
  const environment: Environment = { ...Object.fromEntries(contents.flat()), ...process.env }
  return readConfig(file, existsSync(file) ? readText(file) : '', environment, options)
}

function readMigrations(folder: string, nameOf: (path: string) => string) {
  const files = isFolder(folder)
    ? readdirSync(folder)
        .filter(file => file.endsWith('.sql'))
        .sort()
    : []
  const migrations: Migration[] = []
  const skipped: string[] = []
  for (const file of files) {
    const path = join(folder, file)
    const [, version, title] = /^(\d+)_(.*)\.sql$/.exec(file) ?? []
    if (version === undefined) skipped.push(nameOf(path))
    else migrations.push({ name: nameOf(path), sql: readText(path), version, title: title ?? '' })
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
  return [...new Set(paths.map(path => resolve(folder, path)))].map(path => {
    const sql = readText(path)
    return { name: nameOf(path), sql, hash: createHash('sha256').update(sql).digest('hex') }
  })
}

/** Some editors write a byte order mark at the start, which names the encoding; decoding drops it. */
function readText(path: string): string {
  const bytes = readFileSync(path)
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
