// The flags of `chartroom backend`.
import { FaultPlanError, readPlanFile, type FaultPlan } from '../../backend/faults/index.ts'
import { parseHost, parseOrigin } from '../../backend/gateway/index.ts'
import type { BackendOptions } from '../../backend/index.ts'
import { DEFAULT_REALTIME_SETTINGS } from '../../backend/realtime/index.ts'
import { UsageError, type Values, wholeNumber } from './command.ts'

/** Command lines are visible to every user of a machine and stored by shells; the environment is not. */
const PASSWORD = 'CHARTROOM_DB_PASSWORD'
const DATABASE_URL = 'CHARTROOM_DATABASE_URL'

export const FLAGS = {
  port: { type: 'string', value: 'N', about: "Port; default: the project's port, else a free one" },
  host: { type: 'string', value: 'ADDRESS', about: 'Address to listen on; default: 127.0.0.1' },
  'allow-origin': {
    type: 'string',
    value: 'ORIGIN',
    isRepeatable: true,
    about:
      'Allow calls from pages of this origin, e.g. https://app.example; loopback pages are always allowed',
  },
  'allow-host': {
    type: 'string',
    value: 'NAME',
    isRepeatable: true,
    about: 'Answer requests for this host name, with any port: for a proxy on this machine that keeps Host',
  },
  'oauth-stand-in': {
    type: 'boolean',
    about: 'With --host: keep the simulated OAuth providers, where anyone can sign in as any user',
  },
  data: {
    type: 'string',
    value: 'DIR|memory',
    about: 'Data directory; "memory" (the default) stores nothing',
  },
  reset: { type: 'boolean', about: 'Delete all data in the directory first; keys are kept' },
  yes: { type: 'boolean', about: 'Skip the confirmation before a reset' },
  project: {
    type: 'string',
    value: 'DIR',
    about: 'Load migrations, seeds and config of an existing project: the folder that contains "supabase"',
  },
  skip: {
    type: 'string',
    value: 'VERSION',
    isRepeatable: true,
    about: 'Record this migration of the project as applied without running it; the data remembers it',
  },
  keys: {
    type: 'string',
    value: 'own|cli',
    about: '"cli": the well-known keys of `supabase start`; default: "own"',
    oneOf: ['own', 'cli'],
  },
  'auto-expose-new-tables': {
    type: 'boolean',
    about: 'Grant new tables in "public" to all roles of the API, as projects did before 2026',
  },
  engine: {
    type: 'string',
    value: 'pglite|postgres',
    about: '"postgres": a PostgreSQL server from npm or of the system; default: "pglite", in this process',
    oneOf: ['pglite', 'postgres'],
  },
  'database-url': {
    type: 'string',
    value: 'URL',
    about: `Use a running PostgreSQL as its superuser; ${DATABASE_URL} keeps the password out of the command line`,
  },
  'db-port': {
    type: 'string',
    value: 'N',
    about: `Port of 127.0.0.1 for psql and database drivers; 0 picks a free one. ${PASSWORD} sets the password`,
  },
  'token-seconds': {
    type: 'string',
    value: 'N',
    about: 'Lifetime of an access token in seconds; default: 3600',
  },
  'allow-outgoing': {
    type: 'boolean',
    about: "Let the project's auth hooks and pg_net send requests to other machines",
  },
  'realtime-limit': {
    type: 'string',
    value: 'NAME=N',
    isRepeatable: true,
    about: 'A realtime limit, e.g. maxConcurrentUsers=500 (docs/guide/backend.md)',
  },
  faults: {
    type: 'string',
    value: 'FILE',
    about: 'Fault plan as JSON (docs/guide/faults.md)',
  },
  verbose: { type: 'boolean', about: 'Print the duration of each startup phase' },
  json: { type: 'boolean', about: 'Print one JSON line with url and keys when ready' },
} as const

type FlagValues = Values<typeof FLAGS>

export interface BackendFlags {
  readonly options: BackendOptions
  readonly asJson: boolean
  readonly isVerbose: boolean
  /** The directory to empty, and whether to ask for confirmation. */
  readonly reset: { readonly dir: string; readonly asks: boolean } | undefined
}

/** @throws UsageError with the flag and the fix */
export function readFlags(values: FlagValues, environment: NodeJS.ProcessEnv = process.env): BackendFlags {
  const data =
    values.data === undefined || values.data === 'memory' ? 'memory' : { dir: folder('--data', values.data) }
  const { reset, yes } = values
  if (reset && data === 'memory')
    throw new UsageError('--reset empties a data directory. Name it with --data.')
  if (yes && !reset) throw new UsageError('--yes requires --reset.')
  return {
    options: {
      data,
      ...givenOptions(values),
      ...databaseAccess(values, environment),
      ...engine(values, environment),
    },
    asJson: values.json,
    isVerbose: values.verbose,
    reset: reset && data !== 'memory' ? { dir: data.dir, asks: !yes } : undefined,
  }
}

function givenOptions(values: FlagValues): Partial<BackendOptions> {
  const { port, host, project, skip, keys, faults } = values
  const { 'token-seconds': seconds, 'oauth-stand-in': standIn } = values
  if (skip.length > 0 && project === undefined) throw new UsageError('--skip requires --project.')
  const origins = values['allow-origin'].map(text => allowedOrigin(text))
  const hosts = values['allow-host'].map(text => allowedHost(text))
  const limits = values['realtime-limit'].map(text => realtimeLimit(text))
  return {
    ...(port === undefined ? {} : { port: wholeNumber('--port', port, 0, 65_535) }),
    ...(host === undefined ? {} : { host: folder('--host', host) }),
    ...(origins.length === 0 ? {} : { allowOrigins: origins }),
    ...(hosts.length === 0 ? {} : { allowHosts: hosts }),
    ...(limits.length === 0 ? {} : { realtime: Object.fromEntries(limits) }),
    ...(standIn ? { oauthStandIn: true } : {}),
    ...(values['allow-outgoing'] ? { allowOutgoing: true } : {}),
    ...(project === undefined ? {} : { project: folder('--project', project) }),
    ...(skip.length === 0 ? {} : { skipMigrations: skip }),
    ...(keys === undefined ? {} : { keys }),
    ...(values['auto-expose-new-tables'] ? { autoExposeNewTables: true } : {}),
    ...(seconds === undefined
      ? {}
      : { accessTokenSeconds: wholeNumber('--token-seconds', seconds, 1, 604_800) }),
    ...(faults === undefined ? {} : { faults: faultPlan(faults) }),
  }
}

function databaseAccess(
  { 'db-port': port }: FlagValues,
  { [PASSWORD]: password }: NodeJS.ProcessEnv,
): Pick<BackendOptions, 'databaseAccess'> {
  if (port === undefined) return {}
  if (password?.trim() === '')
    throw new UsageError(`${PASSWORD} is empty. Set a password, or unset the variable.`)
  return {
    databaseAccess: {
      port: wholeNumber('--db-port', port, 0, 65_535),
      ...(password === undefined ? {} : { password }),
    },
  }
}

/** A flag has precedence over the environment. */
function engine(
  { engine: kind, 'database-url': flag, 'db-port': port, reset }: FlagValues,
  { [DATABASE_URL]: variable }: NodeJS.ProcessEnv,
): Pick<BackendOptions, 'engine'> {
  if (flag !== undefined && kind !== undefined)
    throw new UsageError('--engine starts a database, --database-url names a running one. Give one of them.')
  if (kind !== undefined) return { engine: kind }
  const [url, source] = flag === undefined ? [variable, DATABASE_URL] : [flag, '--database-url']
  if (url === undefined) return {}
  if (url.trim() === '')
    throw new UsageError(`${source} is empty. Give a URL like postgres://USER@HOST/DATABASE.`)
  if (port !== undefined)
    throw new UsageError(
      `--db-port opens the embedded database; with ${source}, connect to that database itself.`,
    )
  if (reset)
    throw new UsageError(`--reset would delete the keys and files that belong to the database of ${source}.`)
  return { engine: { url } }
}

function allowedOrigin(text: string): string {
  try {
    return parseOrigin(text)
  } catch (error) {
    throw new UsageError(`--allow-origin: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function allowedHost(text: string): string {
  try {
    return parseHost(text)
  } catch (error) {
    throw new UsageError(`--allow-host: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function realtimeLimit(text: string): [name: string, value: number] {
  const [name = '', value = ''] = text.split('=')
  const names = Object.entries(DEFAULT_REALTIME_SETTINGS).flatMap(([key, limit]) =>
    typeof limit === 'number' ? [key] : [],
  )
  if (!names.includes(name))
    throw new UsageError(`--realtime-limit: "${name}" is not a limit. Limits: ${names.join(', ')}.`)
  return [name, wholeNumber(`--realtime-limit ${name}`, value, 1, 2 ** 31 - 1)]
}

function folder(flag: string, text: string): string {
  if (text.trim() !== '') return text
  const fix = { '--data': 'Give a directory, or "memory".', '--project': 'Give a directory.' }[flag]
  throw new UsageError(`${flag} is empty. ${fix ?? 'Give an address.'}`)
}

function faultPlan(file: string): FaultPlan {
  try {
    return readPlanFile(file)
  } catch (error) {
    if (error instanceof FaultPlanError) throw new UsageError(`--faults can't be used.\n${error.message}`)
    throw error
  }
}
