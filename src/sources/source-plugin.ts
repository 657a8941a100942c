// The transform as a plugin of Vite, for servers, tests and the command line.
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { mayHaveCalls } from './may-have-calls.ts'
import { projectPath, projectRoot } from './project-root.ts'

/** What the transform knows about modules. */
export interface SourceModules {
  /** The folder that the files of positions are relative to; known when the server is configured. */
  readonly root: string
  /** Names of the machines that each module creates, by the file's path from the root. */
  readonly machines: ReadonlyMap<string, readonly string[]>
}

/** Notes source positions of machines in modules that are served. `modules` is for plugins that react to their changes. */
export function sourcePlugin(): Plugin & { readonly modules: SourceModules } {
  const machines = new Map<string, readonly string[]>()
  const modules = { root: '', machines }
  return {
    name: 'chartroom:sources',
    apply: 'serve',
    enforce: 'pre',
    modules,
    configResolved({ root }) {
      modules.root = projectRoot(root)
    },
    async transform(code, id) {
      const file = fileOf(id)
      const path =
        file !== undefined && mayHaveCalls(code) ? projectPath(modules.root, resolve(file)) : undefined
      if (path === undefined) return undefined
      // Only apps with machines load the parser.
      const { noteSources } = await import('./note-sources.ts')
      const noted = noteSources(code, path)
      if (noted && noted.machines.length > 0) machines.set(path, noted.machines)
      else machines.delete(path)
      return noted && { code: noted.code, map: noted.map }
    },
  }
}

/** The file of a script; undefined for other modules, such as the text of a file. */
function fileOf(id: string): string | undefined {
  const [file = '', query] = id.split('?')
  // Vite adds a time after a hot update.
  const isItself = query === undefined || /^t=\d+$/.test(query)
  return isItself && !id.startsWith('\0') && /\.[cm]?[jt]sx?$/.test(file) ? file : undefined
}
