// The folder that the files of source positions are relative to.
import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'

/**
 * Returns the root of the repository that a folder is in, so that files of all its packages have a path, and that of
 * a pull request; outside of one, the folder itself.
 */
export function projectRoot(folder: string): string {
  const start = realPath(resolve(folder))
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return start
  }
}

/** Returns the path of a file from the root, with `/`; undefined for a file of a package, or outside of the root. */
export function projectPath(root: string, file: string): string | undefined {
  const path = relative(root, realPath(file)).replaceAll('\\', '/')
  const isOutside = path === '' || path.startsWith('../') || isAbsolute(path)
  return isOutside || /(?:^|\/)node_modules\//.test(path) ? undefined : path
}

/** Without links: modules are loaded by their real paths. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
