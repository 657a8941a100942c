// Finds an installed Deno, and composes the command that runs a function in it.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { textOf } from '../../shared/fields.ts'
import type { EdgeFunctionConfig } from './edge-function-config.ts'

/** An installed Deno. */
export interface Deno {
  /** The program itself, not npm's script that starts it. */
  readonly path: string
  readonly version: string
}

/** The command that makes Deno available. */
export const INSTALL_DENO = 'npm install --save-dev deno'

/** The first version with `--preload`. */
const OLDEST = [2, 4]
/** A busy machine starts programs slowly. */
const VERSION_MS = 30_000
const PROGRAM = process.platform === 'win32' ? 'deno.exe' : 'deno'

export interface FoundDeno {
  readonly deno: Deno | undefined
  /** Programs that were passed over, because the project could have put them there. */
  readonly ignored: readonly string[]
}

/**
 * Looks in the `node_modules` that this package is installed in or has itself, then in `PATH`. A program of the
 * project's folder, of the repository around it, or of any folder for a package's programs is never run: it would
 * have the service key, and no sandbox.
 */
export function findDeno(
  project: string | undefined,
  {
    path = process.env['PATH'] ?? '',
    own: installDir = import.meta.dirname,
  }: { path?: string; own?: string } = {},
): FoundDeno {
  const ofProject = project === undefined ? undefined : repositoryOf(realPath(resolve(project)))
  const isOfProject = (file: string) =>
    ofProject !== undefined && [file, realPath(file)].some(each => isWithin(ofProject, each))
  const ignored = new Set<string>()
  const modules = project === undefined ? [] : foldersTo(resolve(project), ofProject)
  for (const folder of modules.map(each => join(each, 'node_modules'))) {
    const file = programIn(folder)
    if (file !== undefined && !ownModules(installDir).includes(folder)) ignored.add(file)
  }
  const installed = ownModules(installDir)
    .map(installedIn)
    .find(path => path !== undefined)
  if (installed) return { deno: installed, ignored: [...ignored] }
  for (const folder of path.split(delimiter)) {
    const file = join(folder, PROGRAM)
    if (folder === '' || !isExecutable(file)) continue
    if (!isAbsolute(folder) || OF_PACKAGES.test(folder) || isOfProject(file)) ignored.add(file)
    else return { deno: inPath(file), ignored: [...ignored] }
  }
  return { deno: undefined, ignored: [...ignored] }
}

/** Where package managers put programs of packages; they add these folders to `PATH`. */
const OF_PACKAGES = /[\\/]node_modules[\\/]\.bin[\\/]?$/

/** The folder of the repository that contains a folder, or the folder itself. */
function repositoryOf(folder: string): string {
  return ancestors(folder).find(each => existsSync(join(each, '.git'))) ?? folder
}

function foldersTo(folder: string, last: string | undefined): string[] {
  const all = ancestors(folder)
  const end = all.findIndex(each => realPath(each) === last)
  return all.slice(0, end + 1)
}

function isWithin(folder: string, file: string): boolean {
  const path = relative(folder, file)
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function ancestors(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...ancestors(above)]
}

/** The `node_modules` of this package, and the one that it is installed in. */
function ownModules(dir: string): string[] {
  const root = ancestors(dir).find(folder => existsSync(join(folder, 'package.json')))
  if (root === undefined) return []
  const around = ancestors(root).find(folder => basename(folder) === 'node_modules')
  return [join(root, 'node_modules'), ...(around === undefined ? [] : [around])]
}

/** Where npm's package or a link to it would be. */
function programIn(modules: string): string | undefined {
  return [join(modules, 'deno', PROGRAM), join(modules, '.bin', PROGRAM)].find(isExecutable)
}

/** npm's package `deno` has a package with the program for each platform next to it. */
function installedIn(modules: string): Deno | undefined {
  const manifest = join(modules, 'deno', 'package.json')
  if (!existsSync(manifest)) return undefined
  const version = textOf(JSON.parse(readFileSync(manifest, 'utf8')), 'version') ?? ''
  // Other package managers link the package from another folder.
  const moduleDir = dirname(realpathSync(manifest))
  const scopes = [
    join(moduleDir, '..', '@deno'),
    join(modules, '@deno'),
    join(moduleDir, 'node_modules', '@deno'),
  ]
  const packages = scopes
    .filter(scope => existsSync(scope))
    .flatMap(scope => readdirSync(scope).map(name => join(scope, name)))
  const path = [moduleDir, ...packages].map(folder => join(folder, PROGRAM)).find(isExecutable)
  return path !== undefined && isSupported(version) ? { path, version } : undefined
}

function inPath(path: string): Deno | undefined {
  const version = versionOf(path)
  return version !== undefined && isSupported(version) ? { path, version } : undefined
}

/** The Deno at a path. @throws Error if it is none, or too old */
export function denoAt(path: string): Deno {
  const version = versionOf(path)
  if (version === undefined)
    throw new Error(`${path} is not a Deno program: \`${path} --version\` does not name one.`)
  if (isSupported(version)) return { path, version }
  throw new Error(
    `${path} is Deno ${version}; Edge Functions need ${OLDEST.join('.')} or later. ${INSTALL_DENO}`,
  )
}

function versionOf(path: string): string | undefined {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: VERSION_MS })
  return /^deno (\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1]
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly cwd: string
}

export interface CommandOptions {
  readonly deno: Deno
  readonly config: EdgeFunctionConfig
  /** The project's `supabase/functions`. */
  readonly folder: string
  /** A folder for temporary files of this process only. */
  readonly temporary: string
  readonly memoryMegabytes: number
}

/** In the package, modules are compiled. */
const BOOTSTRAP =
  ['bootstrap.ts', 'bootstrap.js'].map(file => join(import.meta.dirname, file)).find(existsSync) ?? ''

/** Variables of the parent that Deno needs to find its cache and to download packages; functions do not see them. */
const NEEDED = [
  'HOME',
  'PATH',
  'DENO_DIR',
  'XDG_CACHE_HOME',
  'USERPROFILE',
  'LOCALAPPDATA',
  'SystemRoot',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NPM_CONFIG_REGISTRY',
  'DENO_CERT',
  'DENO_TLS_CA_STORE',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
]

/**
 * Composes the command that runs one function with only the permissions it needs. Its own variables are set inside of
 * the sandbox: in the environment of the program, some would load code or change permissions.
 */
export function commandFor(
  { deno, config, folder, temporary, memoryMegabytes }: CommandOptions,
  parent: NodeJS.ProcessEnv = process.env,
): Command & { readonly hidden: readonly string[] } {
  const needed = Object.fromEntries(
    NEEDED.flatMap(name => (parent[name] === undefined ? [] : [[name, parent[name]]])),
  )
  const entryDir = dirname(config.entrypoint)
  const hasPackage = existsSync(join(entryDir, 'package.json'))
  const settings: Record<string, string> = {
    // Registries and proxies of a company are often signed by an authority that only the system knows.
    DENO_TLS_CA_STORE: 'mozilla,system',
    NO_COLOR: '1',
    DENO_NO_UPDATE_CHECK: '1',
    TMPDIR: temporary,
    ...needed,
    // The project's own package.json is for its app, which runs elsewhere.
    ...(hasPackage ? {} : { DENO_NO_PACKAGE_JSON: '1' }),
  }
  const readable = [folder, entryDir, ...config.staticFiles, cacheFolder(parent), temporary]
  const hidden = Object.keys(settings).filter(name => name !== 'TMPDIR')
  const args = [
    'run',
    '--quiet',
    '--no-prompt',
    '--no-lock',
    '--node-modules-dir=none',
    ...importOptions(config.importMap, hasPackage),
    `--v8-flags=--max-old-space-size=${memoryMegabytes}`,
    '--allow-net',
    '--allow-env',
    '--allow-import',
    '--allow-sys=cpus,hostname,osRelease',
    `--allow-read=${pathList(readable)}`,
    `--allow-write=${pathList([temporary])}`,
    `--preload=${BOOTSTRAP}`,
    config.entrypoint,
  ]
  return { file: deno.path, args, environment: settings, cwd: folder, hidden }
}

function importOptions(importMap: string | undefined, hasPackage: boolean): string[] {
  if (importMap === undefined) return hasPackage ? [] : ['--no-config']
  return /deno\.jsonc?$/.test(importMap)
    ? [`--config=${importMap}`]
    : ['--no-config', `--import-map=${importMap}`]
}

/** Deno separates paths with commas; a path's own commas are doubled. */
function pathList(paths: readonly string[]): string {
  return [...new Set(paths)].map(path => path.replaceAll(',', ',,')).join(',')
}

function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const { DENO_DIR, XDG_CACHE_HOME, LOCALAPPDATA } = environment
  if (DENO_DIR) return DENO_DIR
  if (process.platform === 'win32') return join(LOCALAPPDATA ?? homedir(), 'deno')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'deno')
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'deno')
}
