// The `backend` command: runs the embedded backend until it is stopped, or moves its data.
import { exportData, importData, resetDataDirectory } from '../../backend/transfer/index.ts'
import { type Backend, type BackendOptions, startBackend } from '../../backend/index.ts'
import { INSTALL_DENO, type FunctionLogLine } from '../../backend/functions/index.ts'
import type { MissingGrants, ProjectReport } from '../../backend/project/index.ts'
import { nextStopSignal } from '../../backend/shared/stop-signal.ts'
import { type BackendFlags, FLAGS, readFlags } from './backend-flags.ts'
import { confirmed, defineCommand, type ExitCode, reasonOf, type Run, UsageError } from './command.ts'
import { print, printError } from './print.ts'
import { isLoopback } from '../../backend/shared/hosts.ts'

// `chartroom backend export` and `chartroom backend import`: a backend's data as one file.
const explain = (verb: string) => (error: unknown) => `The data could not be ${verb}. ${reasonOf(error)}`

/** Runs `chartroom backend export`; resolves to the exit code. */
export const exportCommand = defineCommand({
  usage: 'backend export FILE --data DIR [flags]',
  text: 'Writes the database and files of a data directory to one file. No backend may be running on it.',
  flags: {
    data: { type: 'string', value: 'DIR', about: 'The data directory' },
    'with-secrets': {
      type: 'boolean',
      about:
        'Include keys and passwords; without them, the import creates new ones and all users must sign in again',
    },
    force: { type: 'boolean', about: 'Replace FILE if it exists' },
  },
  takes: [1, 1, 'file'],
  explain: explain('exported'),
  fails: 1,
  async run({ values: { data, force, 'with-secrets': withSecrets }, names: [file = ''] }) {
    const dir = directory(data)
    await exportData(dir, file, { withSecrets, force })
    return tell(`${file} holds the data of ${dir}${withSecrets ? ', and its keys: keep it safe' : ''}.`)
  },
})

/** Runs `chartroom backend import`; resolves to the exit code. */
export const importCommand = defineCommand({
  usage: 'backend import FILE --data DIR [flags]',
  text: 'Loads an exported file into a data directory. No backend may be running on it.',
  flags: {
    data: { type: 'string', value: 'DIR', about: 'The data directory; created if missing' },
    force: { type: 'boolean', about: 'Replace existing data' },
    trust: {
      type: 'boolean',
      about: 'Accept the data of a PostgreSQL server, whose author may run programs with your permissions',
    },
  },
  takes: [1, 1, 'file'],
  explain: explain('imported'),
  fails: 1,
  async run({ values: { data, force, trust }, names: [file = ''] }) {
    const dir = directory(data)
    await importData(file, dir, { force, trust })
    return tell(`${dir} holds the data of ${file}.`)
  },
})

function tell(text: string): 0 {
  print(`${text}\n`)
  return 0
}

function directory(data: string | undefined): string {
  if (data === undefined || data.trim() === '')
    throw new UsageError('--data is missing. Name the data directory.')
  return data
}

/** Runs `chartroom backend`; resolves to the exit code once the backend has stopped. */
export const backendCommand: Run = ([first, ...rest]) => {
  if (first === 'export') return exportCommand(rest)
  if (first === 'import') return importCommand(rest)
  return startCommand(first === undefined ? [] : [first, ...rest])
}

const startCommand = defineCommand({
  usage: 'backend [flags]\n       chartroom backend export|import FILE --data DIR',
  text: 'Runs the embedded backend until it is stopped, or moves its data: `chartroom backend export --help`.',
  flags: FLAGS,
  takes: [0, 0, 'name'],
  run: ({ values }) => run(readFlags(values)),
  fails: 1,
})

async function run(flags: BackendFlags): Promise<ExitCode> {
  const { options, reset, asJson, isVerbose } = flags
  if (reset) {
    const question = `This deletes the database and the files in ${reset.dir}.`
    if (reset.asks && !(await confirmed(question, '--yes'))) return 1
    resetDataDirectory(reset.dir)
  }
  // Installed before startup, so that an early Ctrl-C also stops it cleanly.
  const stopSignal = nextStopSignal()
  warnOfHost(options)
  const backend = await startBackend({
    ...options,
    onFunctionLog: printFunctionLog,
    ...(isVerbose ? { onPhase: printPhase } : {}),
  }).catch((error: unknown) => {
    throw new Error(explainStart(error, options), { cause: error })
  })
  print(asJson ? `${describeAsJson(backend)}\n` : describe(backend))
  await stopSignal
  await backend.stop()
  return 0
}

/** Printed to stderr, because stdout is for the JSON line. */
function printPhase(name: string, milliseconds: number): void {
  printError(`${name.padEnd(10)} ${milliseconds.toFixed(0).padStart(6)} ms\n`)
}

/** Printed to stderr, too. */
function printFunctionLog({ function: name, from, text }: FunctionLogLine): void {
  printError(from === 'service' ? `[${name}] (backend) ${text}\n` : `[${name}] ${text}\n`)
}

function describeAsJson(backend: Backend): string {
  const { url, publishableKey, secretKey, dataDir, databaseUrl, accounts, project, created } = backend
  return JSON.stringify({
    url,
    publishableKey,
    secretKey,
    dataDir: dataDir ?? null,
    databaseUrl: databaseUrl ?? null,
    accounts,
    ...(project ? { project } : {}),
    ...(created ? { created } : {}),
    pid: process.pid,
  })
}

export function describe(backend: Backend): string {
  const { url, publishableKey, dataDir, databaseUrl, accounts, project, created } = backend
  const lines = [
    `  URL              ${url}`,
    `  Publishable key  ${publishableKey}`,
    `  Data             ${created ? 'in the database' : (dataDir ?? 'in memory; gone when this stops')}`,
    ...(created
      ? [
          `  Keys and files   ${dataDir ?? 'in memory; gone when this stops, unless --data names a directory'}`,
        ]
      : []),
    ...(databaseUrl === undefined ? [] : [`  Database         ${databaseUrl}`]),
  ]
  return [
    "Chartroom's embedded backend, for development only",
    '',
    ...lines,
    ...section(
      'Accounts',
      accounts.map(({ email, password }) => `${email}  ${password}`),
    ),
    ...section('Created in the database', createdIn(backend)),
    ...describeProject(project),
    '',
    'Press Ctrl-C to stop.',
    '',
  ].join('\n')
}

/** What a project's files did at this start, and what has no effect. */
export function describeProject(project: ProjectReport | undefined): string[] {
  return [
    ...section('Applied migrations', project?.migrations ?? []),
    ...section('Skipped migrations, recorded as applied', project?.skippedMigrations ?? []),
    ...section('Applied seeds', project?.seeds ?? []),
    ...section('Settings of config.toml without effect', project?.notHonored ?? []),
    ...section(
      `Edge Functions, run by Deno ${project?.servedFunctions?.deno.version} (${project?.servedFunctions?.deno.path})`,
      project?.servedFunctions?.names ?? [],
    ),
    ...section(
      `Edge Functions that are not run; calls return 404. To run them, install Deno: ${INSTALL_DENO}`,
      project?.functions ?? [],
    ),
    ...section(
      'Not run, because the project could have put it there; install Deno outside of it, or with the backend',
      project?.ignoredPrograms ?? [],
    ),
    ...section('Extensions without their functionality', project?.emptyExtensions ?? []),
    ...section('Skipped files (migrations must be named <number>_<name>.sql)', project?.skipped ?? []),
    ...missingGrants(project?.missingGrants),
  ]
}

function missingGrants(missing: MissingGrants | undefined): string[] {
  if (missing === undefined) return []
  const title = missing.isExposedBySetting
    ? 'Tables that only auto_expose_new_tables exposes; hosted projects need a GRANT, for example'
    : 'Tables without GRANT, which the API refuses (42501) as hosted projects do. To expose them'
  return section(title, missing.sql.split('\n'))
}

function createdIn({ created }: Backend): string[] {
  const { roles = [], schemas = [] } = created ?? {}
  return [
    ...(roles.length === 0 ? [] : [`Roles: ${roles.join(', ')}`]),
    ...(schemas.length === 0 ? [] : [`Schemas: ${schemas.join(', ')}`]),
  ]
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map(line => `  ${line}`)]
}

/** Printed to stderr, so that it appears next to the JSON line as well. */
function warnOfHost({ host, oauthStandIn }: Pick<BackendOptions, 'host' | 'oauthStandIn'>): void {
  if (host === undefined || isLoopback(host)) return
  const standIn = oauthStandIn
    ? 'Simulated OAuth providers are on: anyone on your network can sign in as any account.'
    : 'OAuth sign-in is off; --oauth-stand-in enables simulated providers, with which anyone can sign in as any account.'
  printError(
    `Warning: listening on ${host}, without TLS. Everyone on your network can reach auth, REST, storage, functions and realtime; sign-up and the demo accounts are open to them. The inbox and faults stay on this machine. ${standIn} For development only.\n`,
  )
}

function explainStart(error: unknown, { databaseAccess }: Partial<BackendOptions> = {}): string {
  if (!(error instanceof Error)) return 'The backend could not be started.'
  if ('code' in error && error.code === 'EADDRINUSE') {
    const isOfDatabase = 'port' in error && error.port !== 0 && error.port === databaseAccess?.port
    const [whose, flag] = isOfDatabase ? ["database's port", '--db-port'] : ['port', '--port']
    return `The ${whose} is in use (EADDRINUSE). Stop the process that uses it, or choose another with ${flag}.`
  }
  const { statement } = error as { readonly statement?: unknown }
  const refused = typeof statement === 'string' ? `\n\n${statement.replaceAll(/^/gm, '    ')}` : ''
  return `The backend could not be started: ${error.message}${refused}`
}
