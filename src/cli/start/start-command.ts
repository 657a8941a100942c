// Serves the app and its embedded backend at one address until Ctrl-C, with a demo or a project.
import { relative } from 'node:path'
import { styleText } from 'node:util'
import type { Backend } from '../../../backend/index.ts'
import type { FunctionLogLine } from '../../../backend/functions/index.ts'
import { resetDataDirectory } from '../../../backend/transfer/index.ts'
import { nextStopSignal } from '../../../backend/shared/stop-signal.ts'
import { describeProject } from '../backend.ts'
import { confirmed, defineCommand, type ExitCode, reasonOf, type Run } from '../command.ts'
import { print, printError } from '../print.ts'
import { describeChange, describeStatus } from './describe-status.ts'
import { serveApp } from './serve-app.ts'
import { readStartFlags, START_FLAGS, type StartSettings } from './start-flags.ts'
import { offerReset } from './terminal-reset.ts'

export interface StartCommandOptions {
  /** What starts the command, and its usage after that. */
  readonly program: string
  readonly usage: string
  /** The folder of the built app. */
  readonly appDir: string
  /** Builds the app if it is not up to date. */
  readonly build?: (signal: AbortSignal) => Promise<unknown>
}

/** Creates the command; it resolves to the exit code once the backend has stopped. */
export const createStartCommand = ({ program, usage, ...app }: StartCommandOptions): Run =>
  defineCommand({
    program,
    usage,
    text: 'Serves the workbench and a backend at one address until Ctrl-C: a demo, or with --project your own migrations, seeds, config and functions.',
    flags: START_FLAGS,
    takes: [0, 0, 'name'],
    fails: 1,
    explain: error => `Chartroom failed to start: ${reasonOf(error)}`,
    run: ({ values }) => run(readStartFlags(values), app),
  })

async function run(
  { options, isVerbose, reset }: StartSettings,
  { appDir, build }: Pick<StartCommandOptions, 'appDir' | 'build'>,
): Promise<ExitCode> {
  if (reset) {
    const question = `This deletes the database and the files in ${reset.dir}.`
    if (reset.asks && !(await confirmed(question, '--yes'))) return 1
    resetDataDirectory(reset.dir)
  }
  const giveUp = new AbortController()
  // Installed before startup, so that an early Ctrl-C also stops it cleanly.
  const stopSignal = nextStopSignal().then(() => giveUp.abort())
  print('Starting Chartroom…\n')
  const starting = serveApp({
    ...options,
    appDir,
    ...(options.project === undefined ? { demoContent: await loadDemo() } : {}),
    ...(build ? { build: build(giveUp.signal) } : {}),
    onFunctionLog: printFunctionLog,
    ...(isVerbose ? { onPhase: printPhase } : {}),
  })
  try {
    const backend = await starting
    if (!giveUp.signal.aborted) announce(backend, options.port)
    await stopSignal
    await backend.stop()
  } catch (error) {
    if (!giveUp.signal.aborted) throw error
  }
  return 0
}

/** A project has no use for the demo's reports. */
const loadDemo = async () => (await import('./demo/reports.ts')).demoReports()

function announce(backend: Backend, port: number): void {
  print(`${describe(backend, port)}\n`)
  const { projectFollower: follower } = backend
  if (!follower) return
  let lastStatus = follower.status()
  const report = backend.project && { ...backend.project, migrations: [], seeds: [] }
  print([...describeStatus(lastStatus), ...describeProject(report), '', ''].join('\n'))
  offerReset(follower)
  follower.subscribe(() => {
    const status = follower.status()
    if (status.phase === 'ready') {
      print([...describeChange(lastStatus, status), ''].join('\n'))
      lastStatus = status
    }
  })
}

function printPhase(name: string, milliseconds: number): void {
  print(styleText('dim', `  ${name.padEnd(10)}${milliseconds.toFixed(0).padStart(6)} ms\n`))
}

function printFunctionLog({ function: name, from, text }: FunctionLogLine): void {
  printError(from === 'service' ? `[${name}] (backend) ${text}\n` : `[${name}] ${text}\n`)
}

function describe(backend: Backend, wantedPort: number): string {
  const label = (text: string) => styleText('dim', text.padEnd(10))
  const folder = backend.dataDir && shortest(backend.dataDir)
  const status = backend.projectFollower?.status()
  return [
    '',
    ...(wantedPort > 0 && backend.port !== wantedPort
      ? [`  Port ${wantedPort} is in use; using port ${backend.port} instead.`, '']
      : []),
    `  ${label('Address')}${styleText(['bold', 'cyan'], backend.url)}`,
    ...(status ? [`  ${label('Project')}${shortest(status.folder)} (watched)`] : []),
    `  ${label('Inbox')}${backend.url}/_chartroom/inbox`,
    ...(status
      ? [
          `  ${label('Users')}${status.hasUsers ? 'in auth.users' : 'none yet; the address offers to create one'}`,
        ]
      : describeAccounts(backend, label)),
    // `chartroom reports` reads it from the environment; not printed where the output is stored.
    ...(status || !process.stdout.isTTY
      ? []
      : [`  ${label('For CLI')}export SUPABASE_SECRET_KEY=${backend.secretKey}`]),
    `  ${label('Data')}${folder ? `${folder} (persistent)` : 'in memory, lost on stop'}`,
    ...(status?.canReset && process.stdin.isTTY ? [`  ${label('Reset')}r and Enter`] : []),
    `  ${label('Stop')}Ctrl-C`,
    '',
  ].join('\n')
}

function describeAccounts({ accounts }: Backend, label: (text: string) => string): string[] {
  const [first, ...otherAccounts] = accounts.map(({ email, password }) => `${email}  ${password}`)
  return [
    `  ${label('Accounts')}${first ?? 'none'}`,
    ...otherAccounts.map(account => `  ${label('')}${account}`),
  ]
}

function shortest(path: string): string {
  const fromHere = relative(process.cwd(), path)
  return fromHere === '' || fromHere.startsWith('..') ? path : fromHere
}
