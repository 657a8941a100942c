// Finds the Supabase projects at or below a folder.
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

const PARTS = ['migrations', 'config.toml', 'seed.sql', 'schemas']
const DEEPEST = 8

/** Folders that contain `supabase/`; links are not followed. */
export function findProjects(folder: string): string[] {
  const root = resolve(folder)
  if (basename(root) === 'supabase' && isProject(root)) return [dirname(root)]
  return existsSync(root) ? below(root, 0) : []
}

function below(folder: string, depth: number): string[] {
  const own = isProject(join(folder, 'supabase')) ? [folder] : []
  if (depth === DEEPEST) return own
  const inner = readdirSync(folder, { withFileTypes: true }).filter(
    entry => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules',
  )
  return [
    ...own,
    ...inner
      .map(({ name }) => name)
      .sort()
      .flatMap(name => below(join(folder, name), depth + 1)),
  ]
}

/** A folder named `supabase` may also contain code. */
const isProject = (folder: string) => PARTS.some(part => existsSync(join(folder, part)))
