// Loads modules named on the command line as the app's own tools do: with its Vite, if it has one, else with
// Node.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { sourcePlugin, withNotedSources } from '../sources/index.ts'
import { reasonOf, UsageError } from './command.ts'

export type Exports = Readonly<Record<string, unknown>>

/**
 * @throws UsageError with the flag, file, line and cause, if the module cannot be loaded
 */
export async function loadModule(flag: string, file: string): Promise<Exports> {
  const path = resolve(file)
  const vite = viteOf(path)
  try {
    return await (vite === undefined ? loadWithNode(path) : loadWithVite(vite, path))
  } catch (error) {
    throw new UsageError(
      `${flag} ${file} can't be loaded: ${whyNot(error)}${hintOf(error, path, vite !== undefined)}`,
    )
  }
}

const loadWithNode = (path: string) =>
  withNotedSources(rootOf(path), async () => (await import(pathToFileURL(path).href)) as Exports)

/** What is used of any version of Vite. */
interface Vite {
  readonly createServer: (config: object) => Promise<{
    readonly ssrLoadModule: (path: string, options: object) => Promise<Exports>
    readonly close: () => Promise<void>
  }>
}

/** The module of the Vite that a module at this path would import. */
function viteOf(path: string): string | undefined {
  try {
    const folder = dirname(createRequire(path).resolve('vite/package.json'))
    return pathToFileURL(join(folder, 'dist/node/index.js')).href
  } catch {
    return undefined
  }
}

/**
 * Loads a module with Vite: with the configuration, plugins and aliases of the app. Packages are loaded by Node,
 * so that the app's machines and Chartroom use the same XState.
 * @param vite the URL of Vite's module
 * @param config added to the configuration of the app
 */
export async function loadWithVite(
  vite: string,
  path: string,
  config: { readonly plugins?: readonly object[]; readonly [option: string]: unknown } = {},
): Promise<Exports> {
  const { createServer } = (await import(vite)) as Vite
  const server = await createServer({
    root: rootOf(path),
    appType: 'custom',
    logLevel: 'silent',
    // Nothing listens or watches, so that the process can end.
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
    resolve: { tsconfigPaths: true },
    ssr: { external: ['xstate', 'chartroom', '@chartroom/devtools'] },
    ...config,
    plugins: [sourcePlugin(), ...(config.plugins ?? [])],
  })
  try {
    return await server.ssrLoadModule(path, { fixStacktrace: true })
  } finally {
    await server.close()
  }
}

const CONFIG = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map(ending => `vite.config.${ending}`)

/** The nearest folder above a file with a Vite configuration, else with a package. */
function rootOf(path: string): string {
  const folders = [dirname(path)]
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    folders.push(dirname(folder))
  const having = (names: readonly string[]) =>
    folders.find(folder => names.some(name => existsSync(join(folder, name))))
  return having(CONFIG) ?? having(['package.json']) ?? dirname(path)
}

/** Describes an error with its place: `src/app.tsx:3: document is not defined`. */
function whyNot(error: unknown): string {
  const [ownError] = ownErrors(error)
  const reason = stripVTControlCharacters(reasonOf(ownError ?? error)).split('\n')[0] ?? ''
  const place = ownError ? placeIn(ownError) : placeOf(error)
  return place === undefined || reason.includes(place) ? reason : `${reason} (${place})`
}

interface Located {
  readonly message: string
  readonly loc: { readonly file?: string; readonly line: number }
  readonly id?: string
}

/** Transforms report a list of errors, or one, with its place in the source. */
function ownErrors(error: unknown): readonly Located[] {
  if (!(error instanceof Error)) return []
  const listed: unknown = 'errors' in error ? error.errors : [error]
  return Array.isArray(listed) ? listed.filter(isLocated) : []
}

const isLocated = (error: unknown): error is Located =>
  error instanceof Error &&
  'loc' in error &&
  typeof error.loc === 'object' &&
  error.loc !== null &&
  'line' in error.loc

const placeIn = ({ loc, id = '' }: Located) => `${displayPath(loc.file ?? id)}:${loc.line}`

const HERE = dirname(fileURLToPath(import.meta.url))

/** The first place in the error's stack that is neither in a package nor in this program. */
function placeOf(error: unknown): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  // The stack of a syntax error starts with its position: `file:///…/machines.ts:3`.
  for (const [, file = '', line] of stack.matchAll(
    /(?:^|\(|at |async )((?:file:\/\/)?\/[^\s():]+):(\d+)/gm,
  )) {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file
    if (!path.includes('/node_modules/') && dirname(path) !== HERE) return `${displayPath(path)}:${line}`
  }
  return undefined
}

/** A path below the current folder, or an absolute one. */
function displayPath(path: string): string {
  const short = relative(process.cwd(), path)
  return short.startsWith('..') ? path : short
}

/** What may be the cause, and what to do. */
function hintOf(error: unknown, path: string, hasVite: boolean): string {
  if (error instanceof ReferenceError && OF_PAGES.test(error.message))
    return '\nIt needs a page when it loads. Name a module that only has machines.'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isSource = /\.(?:[mc]?ts|tsx|jsx)$/.test(path) || /^ERR_(?:MODULE|UNSUPPORTED|UNKNOWN)/.test(code)
  if (hasVite || !isSource) return ''
  return (
    '\nNode loaded it, because no Vite is installed above it. Node reads no JSX, no enums, no aliases, and no ' +
    'imports without file ending or of styles and images. If that is the cause, install Vite next to it ' +
    '(npm install --save-dev vite), which is then used with the configuration of the app; or name a module ' +
    'that only has machines.'
  )
}

const OF_PAGES =
  /^(?:document|window|self|location|localStorage|sessionStorage|HTML\w*Element) is not defined/

/** Lists the names of a module's exports for a message. */
export const exportedNames = (module: Exports): string => Object.keys(module).join(', ') || 'nothing'
