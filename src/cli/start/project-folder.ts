// Finds the folder of a project that a user means: the one that contains `supabase`.
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { UsageError } from '../command.ts'

const MAX_DEPTH = 3
/** Folders that are looked at, so that a home folder is not searched for minutes. */
const MAX_FOLDERS = 2_000

/**
 * Returns the absolute path of the project in `path`: `path` itself, or the folder above it if `path` is `supabase`.
 * @throws UsageError with what was looked for and where it is instead
 */
export function findProjectFolder(path: string): string {
  const folder = resolve(path)
  if (!isFolder(folder)) throw new UsageError(`--project: ${folder} is not a folder.`)
  if (isFolder(join(folder, 'supabase'))) return folder
  if (basename(folder) === 'supabase' && isProject(folder)) return dirname(folder)
  const above = findAbove(folder)
  const suggestions =
    above === undefined ? findProjects(folder).map(each => join(path, relative(folder, each))) : [above]
  const problem = `--project: ${folder} contains no folder "supabase", in which "config.toml" and "migrations" would be.`
  if (suggestions.length === 0)
    throw new UsageError(`${problem} Pass the folder that contains it; \`supabase init\` creates one.`)
  const [first = ''] = suggestions
  const also = suggestions.length === 1 ? '' : ` Others: ${suggestions.slice(1, 5).join(', ')}.`
  throw new UsageError(`${problem} Did you mean ${first}?${also}`)
}

/** For a path inside of a project. */
function findAbove(folder: string): string | undefined {
  const parent = dirname(folder)
  if (parent === folder) return undefined
  return isProject(join(parent, 'supabase')) ? parent : findAbove(parent)
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** `supabase/functions` alone is a project, too, but may be anything elsewhere. */
const isProject = (folder: string): boolean =>
  statSync(join(folder, 'config.toml'), { throwIfNoEntry: false }) !== undefined ||
  isFolder(join(folder, 'migrations'))

/** Breadth first, so that the nearest comes first. */
function findProjects(root: string): string[] {
  const projects: string[] = []
  let level = [root]
  let visited = 0
  for (let depth = 0; depth < MAX_DEPTH && visited < MAX_FOLDERS; depth += 1) {
    const next: string[] = []
    for (const folder of level) {
      visited += 1
      if (visited > MAX_FOLDERS) break
      const children = foldersIn(folder)
      if (folder !== root && children.includes('supabase') && isProject(join(folder, 'supabase')))
        projects.push(folder)
      next.push(...children.map(name => join(folder, name)))
    }
    level = next
  }
  return projects
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}
