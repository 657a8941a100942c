// Which Edge Functions a project has, and their settings in config.toml.
import { existsSync, globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { EdgeFunctionConfig, EdgeFunctionsConfig } from '../functions/index.ts'
import type { Settings } from './toml.ts'

interface FunctionSettings {
  readonly enabled: boolean
  readonly verifyJwt: boolean
  readonly entrypoint: string | undefined
  readonly importMap: string | undefined
  readonly staticFiles: readonly string[]
}

const DEFAULTS: FunctionSettings = {
  enabled: true,
  verifyJwt: true,
  entrypoint: undefined,
  importMap: undefined,
  staticFiles: [],
}

/** Names of functions; other folders, such as `_shared`, hold code that functions share. */
const NAME = /^[A-Za-z][\w-]*$/

/** @throws ProjectError if a setting is invalid or names a file that does not exist */
export function readFunctions(folder: string, settings: Settings): EdgeFunctionsConfig {
  // Settings of the runtime's container; the runtime here is an installed Deno.
  settings.pass('edge_runtime.policy', 'edge_runtime.inspector_port', 'edge_runtime.deno_version')
  const isEnabled = settings.flag('edge_runtime.enabled') ?? true
  const names = settings.names('functions')
  const settingsByName = new Map(names.map(name => [name, readSettings(folder, settings, name)] as const))
  const secrets = settings.names('edge_runtime.secrets').flatMap(name => {
    const value = settings.text(`edge_runtime.secrets.${name}`)
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    folder: join(folder, 'functions'),
    list: () => (isEnabled ? listFunctions(folder, settingsByName) : []),
    secrets: Object.fromEntries(secrets),
  }
}

function readSettings(folder: string, settings: Settings, name: string): FunctionSettings {
  const path = `functions.${name}`
  if (!NAME.test(name)) {
    throw settings.error(
      path,
      'is not a function name: use letters, digits, "-" and "_", and start with a letter',
    )
  }
  return {
    enabled: settings.flag(`${path}.enabled`) ?? true,
    verifyJwt: settings.flag(`${path}.verify_jwt`) ?? true,
    entrypoint: readFile(folder, settings, `${path}.entrypoint`),
    importMap: readFile(folder, settings, `${path}.import_map`),
    staticFiles: (settings.texts(`${path}.static_files`) ?? []).map(pattern => resolve(folder, pattern)),
  }
}

function readFile(folder: string, settings: Settings, path: string): string | undefined {
  const text = settings.text(path) || undefined
  if (text === undefined) return undefined
  const file = resolve(folder, text)
  if (existsSync(file)) return file
  throw settings.error(path, `names ${file}, which does not exist`)
}

function listFunctions(
  folder: string,
  settingsByName: ReadonlyMap<string, FunctionSettings>,
): readonly EdgeFunctionConfig[] {
  const functionNames = globSync('functions/*/index.{ts,js}', { cwd: folder }).map(
    path => path.split(/[/\\]/)[1] ?? '',
  )
  const names = [...new Set([...functionNames, ...settingsByName.keys()])]
    .filter(name => NAME.test(name))
    .sort()
  return names.flatMap(name => {
    const settings = settingsByName.get(name) ?? DEFAULTS
    const ownFolder = join(folder, 'functions', name)
    const entrypoint = settings.entrypoint ?? firstOf(ownFolder, ['index.ts', 'index.js'])
    if (!settings.enabled || entrypoint === undefined) return []
    const importMap =
      settings.importMap ??
      firstOf(ownFolder, ['deno.json', 'deno.jsonc', 'import_map.json']) ??
      firstOf(join(folder, 'functions'), ['import_map.json'])
    const { verifyJwt, staticFiles } = settings
    return [{ name, entrypoint, verifyJwt, importMap, staticFiles: staticFiles.map(withoutWildcards) }]
  })
}

function firstOf(folder: string, files: readonly string[]): string | undefined {
  return files.map(file => join(folder, file)).find(file => existsSync(file))
}

/** The longest folder without wildcards: Deno's permissions have none. */
function withoutWildcards(pattern: string): string {
  const parts = pattern.split(/[/\\]/)
  const wild = parts.findIndex(part => /[*?[\]{}]/.test(part))
  return wild === -1 ? pattern : parts.slice(0, wild).join('/')
}
