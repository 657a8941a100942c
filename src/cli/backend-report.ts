// What `chartroom backend` prints of a running backend.
import { isLoopback } from '../../backend/gateway/hosts.ts'
import type { Backend, BackendOptions } from '../../backend/index.ts'

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
    ...section('Migrations run', project?.migrations ?? []),
    ...section('Seeds run', project?.seeds ?? []),
    ...section('Not honoured in config.toml', project?.notHonoured ?? []),
    ...section('Extensions here in name only', project?.emptyExtensions ?? []),
    ...section('Skipped, for a migration is called <number>_<name>.sql', project?.skipped ?? []),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n')
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map(line => `  ${line}`)]
}

/** Said on the error stream, so that it reaches whoever reads JSON too. */
export function warnOfHost(host: string | undefined): void {
  if (host === undefined || isLoopback(host)) return
  process.stderr.write(
    `Warning: listening on ${host}. Everyone on your network can reach this backend, which is for development only.\n`,
  )
}

export function explainStart(error: unknown, { databaseAccess }: Partial<BackendOptions> = {}): string {
  if (!(error instanceof Error)) return 'The backend could not be started.'
  if ('code' in error && error.code === 'EADDRINUSE') {
    const isOfDatabase = 'port' in error && error.port !== 0 && error.port === databaseAccess?.port
    const [whose, flag] = isOfDatabase ? ["database's port", '--db-port'] : ['port', '--port']
    return `The ${whose} is taken (EADDRINUSE). Stop what listens there, or choose another with ${flag}.`
  }
  return `The backend could not be started: ${error.message}`
}
