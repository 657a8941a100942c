// The flags of `npm start` and `chartroom start`: those of the backend that an app needs.
import type { BackendOptions } from '../../../backend/index.ts'
import { FLAGS as BACKEND_FLAGS, readFlags } from '../backend-flags.ts'
import { UsageError, type Values } from '../command.ts'
import { projectDataDir } from './project-data.ts'
import { findProjectFolder } from './project-folder.ts'

const { project, skip, keys, engine, reset, yes, verbose } = BACKEND_FLAGS
const DEFAULT_PORT = 4400
const DEMO_DATA = '.chartroom'

export const START_FLAGS = {
  project: {
    ...project,
    about: 'Run this project: the folder that contains "supabase"; default: a demo. Its files are watched',
  },
  port: { ...BACKEND_FLAGS.port, about: `Port; default: ${DEFAULT_PORT}; if taken, the next free one` },
  memory: { type: 'boolean', about: 'Keep data in memory until the program stops' },
  data: {
    type: 'string',
    value: 'DIR',
    about: `Data folder; default: ${DEMO_DATA} for the demo, a folder of your user for a project`,
  },
  reset: { ...reset, about: 'Delete all data in the folder first; keys are kept' },
  yes,
  engine,
  skip,
  keys,
  'auto-expose-new-tables': BACKEND_FLAGS['auto-expose-new-tables'],
  'allow-outgoing': BACKEND_FLAGS['allow-outgoing'],
  'allow-origin': BACKEND_FLAGS['allow-origin'],
  'token-seconds': BACKEND_FLAGS['token-seconds'],
  verbose,
} as const

/** Flags of the backend that are not flags here. */
const ABSENT = {
  host: undefined,
  'allow-host': [],
  'oauth-stand-in': false,
  'database-url': undefined,
  'db-port': undefined,
  'realtime-limit': [],
  faults: undefined,
  json: false,
} as const

export interface StartSettings {
  readonly options: BackendOptions & { readonly port: number }
  readonly isVerbose: boolean
  /** The folder to empty, and whether to ask for confirmation. */
  readonly reset: { readonly dir: string; readonly asks: boolean } | undefined
}

/** @throws UsageError with the flag and the fix */
export function readStartFlags(
  values: Values<typeof START_FLAGS>,
  environment: NodeJS.ProcessEnv = process.env,
): StartSettings {
  const { memory, ...flags } = values
  if (memory && values.data !== undefined)
    throw new UsageError('--memory stores nothing on disk, so it cannot be combined with --data.')
  if (memory && values.reset) throw new UsageError('--memory stores nothing, so there is nothing to --reset.')
  if (values.data?.trim() === '') throw new UsageError('--data must be the path of a folder.')
  const folder = values.project === undefined ? undefined : findProjectFolder(values.project)
  const defaultDir = () => (folder === undefined ? DEMO_DATA : projectDataDir(folder, environment))
  // The app is that of the embedded database.
  const { CHARTROOM_DATABASE_URL: _url, ...ownEnvironment } = environment
  const {
    options,
    isVerbose,
    reset: emptied,
  } = readFlags(
    { ...ABSENT, ...flags, data: memory ? 'memory' : (values.data ?? defaultDir()) },
    ownEnvironment,
  )
  const { port = DEFAULT_PORT } = options
  return {
    options: { ...options, port, ...(folder === undefined ? {} : { project: folder, followProject: true }) },
    isVerbose,
    reset: emptied,
  }
}
