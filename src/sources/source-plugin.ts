// The transform for Vite: modules as they are served, to pages, servers and tests.
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { mayHaveCalls } from './may-have-calls.ts'
import { projectPath, projectRoot } from './project-root.ts'

/** Notes source positions in the modules of one server. */
export class SourceTransform {
  /** The folder that the files of positions are relative to. */
  root = ''
  readonly #machines = new Map<string, readonly string[]>()

  /** @param folder root of the app */
  configure(folder: string): void {
    this.root = projectRoot(folder)
  }

  /** Returns the keys of the machines that a served module creates, as the page notes them; none for other modules. */
  machinesOf(file: string): readonly string[] {
    return this.#machines.get(projectPath(this.root, resolve(file)) ?? '') ?? []
  }

  /** Returns the changed module; undefined for a module without positions. */
  async transform(code: string, id: string) {
    const file = fileOf(id)
    const path = file !== undefined && mayHaveCalls(code) ? projectPath(this.root, resolve(file)) : undefined
    if (path === undefined) return undefined
    // Only apps with machines load the parser.
    const { noteSources } = await import('./note-sources.ts')
    const noted = noteSources(code, path)
    if (noted && noted.machines.length > 0) this.#machines.set(path, noted.machines)
    else this.#machines.delete(path)
    return noted && { code: noted.code, map: noted.map }
  }
}

/** The transform alone, as a plugin. */
export function sourcePlugin(): Plugin {
  const sources = new SourceTransform()
  return {
    name: 'chartroom:sources',
    apply: 'serve',
    enforce: 'pre',
    configResolved: ({ root }) => sources.configure(root),
    transform: (code, id) => sources.transform(code, id),
  }
}

/** The file of a script; undefined for other modules, such as the text of a file. */
function fileOf(id: string): string | undefined {
  const [file = '', query] = id.split('?')
  // Vite adds a time after a hot update.
  const isItself = query === undefined || /^t=\d+$/.test(query)
  return isItself && !id.startsWith('\0') && /\.[cm]?[jt]sx?$/.test(file) ? file : undefined
}
