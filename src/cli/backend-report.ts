// What `chartroom backend` prints about a running backend.
import { isLoopback } from '../../backend/shared/hosts.ts'
import type { Backend, BackendOptions } from '../../backend/index.ts'
import { printError } from './print.ts'

export function describeAsJson(backend: Backend): string {
  const { url, publishableKey, secretKey, dataDir, databaseUrl, accounts, project } = backend
  return JSON.stringify({
    url,
    publishableKey,
    secretKey,
    dataDir: dataDir ?? null,
    databaseUrl: databaseUrl ?? null,
    accounts,
    ...(project ? { project } : {}),
    pid: process.pid,
  })
}

export function describe(backend: Backend): string {
  const { url, publishableKey, dataDir, databaseUrl, accounts, project } = backend
  const lines = [
    `  URL              ${url}`,
    `  Publishable key  ${publishableKey}`,
    `  Data             ${dataDir ?? 'in memory; gone when this stops'}`,
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
    ...section('Applied migrations', project?.migrations ?? []),
    ...section('Applied seeds', project?.seeds ?? []),
    ...section('Unsupported settings in config.toml', project?.notHonored ?? []),
    ...section('Extensions without their functionality', project?.emptyExtensions ?? []),
    ...section('Skipped files (migrations must be named <number>_<name>.sql)', project?.skipped ?? []),
    '',
    'Press Ctrl-C to stop.',
    '',
  ].join('\n')
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map(line => `  ${line}`)]
}

/** Printed to stderr, so that it appears next to the JSON line as well. */
export function warnOfHost({ host, oauthStandIn }: Pick<BackendOptions, 'host' | 'oauthStandIn'>): void {
  if (host === undefined || isLoopback(host)) return
  const standIn = oauthStandIn
    ? 'Simulated OAuth providers are on: anyone on your network can sign in as any account.'
    : 'OAuth sign-in is off; --oauth-stand-in enables simulated providers, with which anyone can sign in as any account.'
  printError(
    `Warning: listening on ${host}, without TLS. Everyone on your network can reach auth, REST, storage, functions and realtime; sign-up and the demo accounts are open to them. The inbox and faults stay on this machine. ${standIn} For development only.\n`,
  )
}

export function explainStart(error: unknown, { databaseAccess }: Partial<BackendOptions> = {}): string {
  if (!(error instanceof Error)) return 'The backend could not be started.'
  if ('code' in error && error.code === 'EADDRINUSE') {
    const isOfDatabase = 'port' in error && error.port !== 0 && error.port === databaseAccess?.port
    const [whose, flag] = isOfDatabase ? ["database's port", '--db-port'] : ['port', '--port']
    return `The ${whose} is in use (EADDRINUSE). Stop the process that uses it, or choose another with ${flag}.`
  }
  return `The backend could not be started: ${error.message}`
}
