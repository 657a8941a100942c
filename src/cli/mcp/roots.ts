// The folders whose files the tools may use. A path is compared after its links are followed.
import { realpathSync, statSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { UsageError } from '../command.ts'
import { fileReason } from '../write-file.ts'

/** Folders that are not searched for recordings. */
const SKIPPED = new Set(['node_modules', 'dist', 'coverage', 'build'])
/** Bounds of a search. */
const MOST_FOLDERS = 2000
const DEEPEST = 6

export class Roots {
  /** Without links; the first one is the base of relative paths. */
  readonly folders: readonly string[]

  /** @throws UsageError for a folder that does not exist */
  constructor(folders: readonly string[]) {
    this.folders = folders.map(folder => {
      try {
        const real = realpathSync(folder)
        if (statSync(real).isDirectory()) return real
      } catch {
        // Reported as a missing folder.
      }
      throw new UsageError(`--root ${folder} is no folder.`)
    })
  }

  /**
   * The path of an existing file or folder.
   * @throws Error if it is outside of the roots, or does not exist
   */
  async existing(path: string): Promise<string> {
    const resolvedPath = this.#resolved(path)
    const real = await realpath(resolvedPath).catch((error: unknown) => {
      // The error must not reveal whether a file outside exists.
      if (!this.#contains(resolvedPath)) throw outside(path)
      throw new Error(`${path}: ${fileReason(error)}. The tool "recordings" lists those that can be used.`)
    })
    if (!this.#contains(real)) throw outside(path)
    return real
  }

  /**
   * The path of a file to write, whose folder exists.
   * @throws Error if it is outside of the roots, or exists
   */
  async fresh(path: string): Promise<string> {
    const resolvedPath = this.#resolved(path)
    const folder = await this.existing(dirname(resolvedPath))
    return join(folder, basename(resolvedPath))
  }

  /** The path for results: below the first root that has it. */
  displayPath(path: string): string {
    const root = this.folders.find(folder => isWithin(path, folder))
    const short = root === undefined ? path : relative(root, path) || '.'
    return root === this.folders[0] ? short.replaceAll(sep, '/') : path
  }

  /** Files with one of these endings, and folders that `isFound` accepts, in a stable order. */
  async *search(
    endings: readonly string[],
    isFound: (entries: readonly string[]) => boolean,
  ): AsyncGenerator<{ readonly path: string; readonly isFolder: boolean }> {
    let left = MOST_FOLDERS
    const visit = async function* (folder: string, depth: number): ReturnType<Roots['search']> {
      if (left-- <= 0) return
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
      const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      if (isFound(sorted.map(entry => entry.name))) {
        yield { path: folder, isFolder: true }
        return
      }
      for (const entry of sorted) {
        const path = join(folder, entry.name)
        // Links are not followed.
        if (entry.isFile() && endings.some(ending => entry.name.endsWith(ending)))
          yield { path, isFolder: false }
        else if (entry.isDirectory() && depth < DEEPEST && !SKIPPED.has(entry.name) && entry.name !== '.git')
          yield* visit(path, depth + 1)
      }
    }
    for (const folder of this.folders) yield* visit(folder, 0)
  }

  #resolved(path: string): string {
    if (path.includes('\0')) throw outside('that path')
    return isAbsolute(path) ? resolve(path) : resolve(this.folders[0] ?? '.', path)
  }

  #contains(path: string): boolean {
    return this.folders.some(folder => isWithin(path, folder))
  }
}

function isWithin(path: string, folder: string): boolean {
  const inner = relative(folder, path)
  return inner === '' || (!isAbsolute(inner) && inner !== '..' && !inner.startsWith(`..${sep}`))
}

const outside = (path: string) =>
  new Error(`${path} is outside of the folders of this server. Start it with --root for another folder.`)
