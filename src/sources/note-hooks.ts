// The transform for modules that Node loads.
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { projectPath, projectRoot } from './project-root.ts'

/**
 * Runs a function that imports modules, which note their source positions. Versions of Node without hooks for modules
 * import them as they are.
 * @param folder root of the app
 */
export async function withNotedSources<T>(folder: string, run: () => Promise<T>): Promise<T> {
  // Missing before Node 22.15.
  const { registerHooks } = nodeModule as { registerHooks?: typeof nodeModule.registerHooks }
  if (!registerHooks) return run()
  const { noteSources } = await import('./note-sources.ts')
  const root = projectRoot(folder)
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const path = url.startsWith('file:') ? projectPath(root, fileURLToPath(url)) : undefined
      if (path === undefined || loaded.source == null || !isScript(loaded.format)) return loaded
      const noted = noteSources(textOf(loaded.source), path)
      return noted ? { ...loaded, source: noted.code } : loaded
    },
  })
  try {
    return await run()
  } finally {
    hooks.deregister()
  }
}

const isScript = (format: string | null | undefined): boolean =>
  format?.startsWith('module') === true || format?.startsWith('commonjs') === true

const textOf = (source: string | ArrayBuffer | NodeJS.TypedArray): string =>
  typeof source === 'string' ? source : new TextDecoder().decode(source)
