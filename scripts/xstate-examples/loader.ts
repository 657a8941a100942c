// Loads a file of an XState example with Vite, as the command line loads an app's modules, but with this project's
// XState, and with stubs for packages that are not installed.
import { readFile } from 'node:fs/promises'
import { loadWithVite } from '../../src/cli/module-file.ts'

const CAUGHT = new URL('caught.ts', import.meta.url).href
const NOTHING = '\0nothing:'
const OURS = '\0ours:'

/** Modules of this process by URL: the example gets these, and no copies. */
const ours = new Map<string, object>()
Object.assign(globalThis, { ours })

/** The exports of a file below this folder. */
export function loadExample(folder: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  return loadWithVite(import.meta.resolve('vite'), file, {
    root: folder,
    configFile: false,
    // Lets the plugin resolve packages.
    ssr: { noExternal: true },
    plugins: [
      {
        name: 'example',
        enforce: 'pre',
        async resolveId(specifier: string, importer = '') {
          if (specifier.startsWith('\0')) return specifier
          if (specifier === 'xstate') return OURS + CAUGHT
          if (specifier.startsWith('xstate/')) return OURS + import.meta.resolve(specifier)
          if (/^[./]|^node:/.test(specifier)) return undefined
          const names = namesOf(await readFile(importer, 'utf8'), specifier)
          return `${NOTHING}${specifier}?names=${names.join('&')}`
        },
        load(id: string) {
          if (id.startsWith(NOTHING)) return nothing(id)
          return id.startsWith(OURS) ? exportsOf(id.slice(OURS.length)) : undefined
        },
      },
    ],
  })
}

async function exportsOf(url: string): Promise<string> {
  const module = (await import(url)) as object
  ours.set(url, module)
  const names = Object.keys(module).filter(name => name !== 'default')
  return `export const { ${names.join(', ')} } = globalThis.ours.get(${JSON.stringify(url)})`
}

/** The names that a module imports from another module. */
function namesOf(source: string, specifier: string): string[] {
  const imports = source.matchAll(/import\s+(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\s*["']([^"']+)["']/g)
  const lists = [...imports].flatMap(([, list = '', from]) => (from === specifier ? list.split(',') : []))
  return lists
    .map(
      item =>
        item
          .trim()
          .replace(/^type /, '')
          .split(/\s+as\s+/)[0] ?? '',
    )
    .filter(name => name !== '' && name !== 'default')
}

/** A stub for a missing package: every property exists and does nothing. */
function nothing(id: string): string {
  const names = id
    .slice(id.indexOf('?names=') + '?names='.length)
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
