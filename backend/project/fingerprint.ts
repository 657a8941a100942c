// Finds out whether a project's files have changed, by their sizes and times.
import { globSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The files whose changes matter, and the names of functions; file systems of other machines send no events. */
export function fingerprintOf(root: string, seedPatterns: readonly string[]): string {
  const folder = join(root, 'supabase')
  const migrations = join(folder, 'migrations')
  const files = [
    join(root, '.env'),
    join(folder, '.env'),
    join(folder, 'config.toml'),
    join(folder, 'roles.sql'),
    ...namesIn(migrations)
      .filter(name => name.endsWith('.sql'))
      .map(name => join(migrations, name)),
    ...seedPatterns.flatMap(pattern => seedsOf(folder, pattern)),
  ]
  return [...files.map(stateOf), ...namesIn(join(folder, 'functions'))].join('\n')
}

function seedsOf(folder: string, pattern: string): string[] {
  try {
    return globSync(pattern, { cwd: folder }).map(path => join(folder, path))
  } catch {
    return []
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** Files may disappear at any time. */
function stateOf(path: string): string {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(path)
    return `${path} ${mtimeMs} ${ctimeMs} ${size} ${ino}`
  } catch {
    return `${path} none`
  }
}
