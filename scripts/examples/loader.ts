// Resolves what the examples of XState import: XState to this project's, files without their endings, the rest to nothing.
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ENDINGS = ['', '.ts', '.tsx', '.js', '/index.ts']
const HERE = dirname(fileURLToPath(import.meta.url))
const NOTHING = pathToFileURL(join(HERE, 'nothing.ts')).href
const CAUGHT = pathToFileURL(join(HERE, 'caught.ts')).href

/** For modules in this folder; everything else is resolved as ever. */
export function loadFrom(folder: string): void {
  registerHooks({
    resolve(specifier, context, next) {
      const from = context.parentURL?.startsWith('file:') ? fileURLToPath(context.parentURL) : ''
      if (!from.startsWith(folder)) return next(specifier, context)
      if (specifier === 'xstate') return { url: CAUGHT, shortCircuit: true }
      if (specifier.startsWith('xstate/') || specifier.startsWith('node:'))
        return next(specifier, { ...context, parentURL: CAUGHT })
      if (!specifier.startsWith('.')) return { url: NOTHING, shortCircuit: true }
      const path = join(dirname(from), specifier)
      const ending = ENDINGS.find(one => /\.[jt]sx?$/.test(path + one) && existsSync(path + one))
      return ending === undefined
        ? { url: NOTHING, shortCircuit: true }
        : { url: pathToFileURL(path + ending).href, shortCircuit: true, format: 'module-typescript' }
    },
    load(url, context, next) {
      return next(url, context)
    },
  })
}
