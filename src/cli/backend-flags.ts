// The flags of `chartroom backend`.
import { FaultPlanError, readPlanFile, type FaultPlan } from '../../backend/faults/index.ts'
import { parseOrigin } from '../../backend/gateway/origins.ts'
import type { BackendOptions } from '../../backend/index.ts'
import type { Values } from './flags.ts'
import { UsageError, wholeNumber } from './usage.ts'

/** Command lines are seen by every user of a machine and kept by shells; the environment is not. */
const PASSWORD = 'CHARTROOM_DB_PASSWORD'

export const FLAGS = {
  port: { type: 'string', value: 'N', about: "Port; a free one unless given, or the project's" },
  host: { type: 'string', value: 'ADDRESS', about: 'Where to listen; 127.0.0.1 unless given' },
  'allow-origin': {
    type: 'string',
    value: 'ORIGIN',
    many: true,
    about:
      'Let pages of this origin call the backend, such as https://app.example; loopback pages always may',
  },
  'oauth-stand-in': {
    type: 'boolean',
    about: 'With --host: keep the page that plays the OAuth providers, where anyone signs in as anyone',
  },
  data: {
    type: 'string',
    value: 'DIR|memory',
    about: 'Where the data lies; "memory" keeps nothing (the default)',
  },
  reset: { type: 'boolean', about: 'Empty the data directory first; keys are kept' },
  yes: { type: 'boolean', about: "Don't ask before a reset" },
  project: {
    type: 'string',
    value: 'DIR',
    about: 'Read the migrations, seeds and config of an existing project: the folder that holds "supabase"',
  },
  keys: {
    type: 'string',
    value: 'own|cli',
    about: '"cli": the well-known keys of `supabase start`; "own" unless given',
    oneOf: ['own', 'cli'],
  },
  'db-port': {
    type: 'string',
    value: 'N',
    about: `Open the database to psql and drivers on this port of 127.0.0.1; 0: a free one. ${PASSWORD} sets its password`,
  },
  'token-seconds': { type: 'string', value: 'N', about: 'Life of an access token; 3600 unless given' },
  faults: {
    type: 'string',
    value: 'FILE',
    about: 'What goes wrong on command: a fault plan as JSON (docs/guide/faults.md)',
  },
  verbose: { type: 'boolean', about: 'Print what the start spends its time on' },
  json: { type: 'boolean', about: 'Print one JSON line with url and keys when ready' },
} as const

type Given = Values<typeof FLAGS>

export interface BackendFlags {
  readonly options: BackendOptions
  readonly asJson: boolean
  readonly isVerbose: boolean
  /** The directory to empty, and whether to ask first. */
  readonly reset: { readonly dir: string; readonly asks: boolean } | undefined
}

/** @throws UsageError naming the flag and the fix */
export function readFlags(values: Given, environment: NodeJS.ProcessEnv = process.env): BackendFlags {
  const data =
    values.data === undefined || values.data === 'memory' ? 'memory' : { dir: folder('--data', values.data) }
  const { reset, yes } = values
  if (reset && data === 'memory')
    throw new UsageError('--reset empties a data directory. Name it with --data.')
  if (yes && !reset) throw new UsageError('--yes answers what --reset asks, and there is no --reset.')
  return {
    options: { data, ...givenOptions(values), ...databaseAccess(values, environment) },
    asJson: values.json,
    isVerbose: values.verbose,
    reset: reset && data !== 'memory' ? { dir: data.dir, asks: !yes } : undefined,
  }
}

function givenOptions(values: Given): Partial<BackendOptions> {
  const { port, host, project, keys, faults, 'token-seconds': seconds, 'oauth-stand-in': standIn } = values
  const origins = values['allow-origin'].map(text => allowedOrigin(text))
  return {
    ...(port === undefined ? {} : { port: wholeNumber('--port', port, 0, 65_535) }),
    ...(host === undefined ? {} : { host: folder('--host', host) }),
    ...(origins.length === 0 ? {} : { allowOrigins: origins }),
    ...(standIn ? { oauthStandIn: true } : {}),
    ...(project === undefined ? {} : { project: folder('--project', project) }),
    ...(keys === undefined ? {} : { keys }),
    ...(seconds === undefined
      ? {}
      : { accessTokenSeconds: wholeNumber('--token-seconds', seconds, 1, 604_800) }),
    ...(faults === undefined ? {} : { faults: faultPlan(faults) }),
  }
}

function databaseAccess(
  { 'db-port': port }: Given,
  { [PASSWORD]: password }: NodeJS.ProcessEnv,
): Pick<BackendOptions, 'databaseAccess'> {
  if (port === undefined) return {}
  if (password?.trim() === '') throw new UsageError(`${PASSWORD} is empty. Set a password, or unset it.`)
  return {
    databaseAccess: {
      port: wholeNumber('--db-port', port, 0, 65_535),
      ...(password === undefined ? {} : { password }),
    },
  }
}

function allowedOrigin(text: string): string {
  try {
    return parseOrigin(text)
  } catch (error) {
    throw new UsageError(`--allow-origin: ${error instanceof Error ? error.message : String(error)}`)
  }
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
