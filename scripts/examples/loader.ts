// Loads the files of an XState example: erases types, uses this project's XState, and replaces missing
// packages with stubs.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transformWithOxc } from 'vite'

const ENDINGS = ['', '.ts', '.tsx', '.js', '/index.ts']
const HERE = dirname(fileURLToPath(import.meta.url))
const CAUGHT = pathToFileURL(join(HERE, 'caught.ts')).href
const NOTHING = 'nothing:'

/** Applies to modules in this folder; everything else is resolved as usual. */
export async function loadFrom(folder: string): Promise<void> {
  const sources = await transformed(folder)
  registerHooks({
    resolve(specifier, context, next) {
      const from = context.parentURL?.startsWith('file:') ? fileURLToPath(context.parentURL) : ''
      if (!from.startsWith(folder)) return next(specifier, context)
      if (specifier === 'xstate') return { url: CAUGHT, shortCircuit: true }
      if (/^(?:xstate\/|node:)/.test(specifier)) return next(specifier, { ...context, parentURL: CAUGHT })
      const path = join(dirname(from), specifier)
      const ending = ENDINGS.find(one => /\.[jt]sx?$/.test(path + one) && existsSync(path + one))
      if (specifier.startsWith('.') && ending !== undefined)
        return { url: pathToFileURL(path + ending).href, shortCircuit: true }
      const names = namesOf(sources.get(from) ?? '', specifier)
      return { url: `${NOTHING}${specifier}?${names.join('&')}`, shortCircuit: true }
    },
    load(url, context, next) {
      if (url.startsWith(NOTHING)) return { format: 'module', source: nothing(url), shortCircuit: true }
      const source = url.startsWith('file:') ? sources.get(fileURLToPath(url)) : undefined
      return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
    },
  })
}

async function transformed(folder: string): Promise<Map<string, string>> {
  const sources = new Map<string, string>()
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.[jt]sx?$/.test(name) || /node_modules|\.d\.ts$/.test(name)) continue
    const file = join(folder, name)
    const { code } = await transformWithOxc(await readFile(file, 'utf8'), file, { sourcemap: false })
    sources.set(file, code)
  }
  return sources
}

/** The names that a module imports from another module. */
function namesOf(source: string, specifier: string): string[] {
  const imports = source.matchAll(/import\s+(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\s*["']([^"']+)["']/g)
  const lists = [...imports].flatMap(([, list = '', from]) => (from === specifier ? list.split(',') : []))
  return lists
    .map(item => item.trim().split(/\s+as\s+/)[0] ?? '')
    .filter(name => name !== '' && name !== 'default')
}

/** A stub for a missing package: every property exists and does nothing. */
function nothing(url: string): string {
  const names = url
    .slice(url.indexOf('?') + 1)
    .split('&')
    .filter(Boolean)
  return `const nothing = new Proxy(function none() {}, {
    get: (_, name) => name === 'then' || typeof name === 'symbol' ? undefined : nothing,
    apply: () => nothing,
    construct: () => ({}),
  })
  export default nothing
  ${names.map(name => `export const ${name} = nothing`).join('\n')}`
}
