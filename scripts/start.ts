// `npm start`: serves the app and its embedded backend at one address until Ctrl-C.
import { relative } from 'node:path'
import { styleText } from 'node:util'
import type { Backend } from '../backend/index.ts'
import { nextStopSignal } from '../backend/shared/stop-signal.ts'
import { startHarbour } from './harbour.ts'
import { parseStartFlags, usage, type StartFlags } from './start-flags.ts'

const flags = parseStartFlags(process.argv.slice(2))
if ('problem' in flags) {
  console.error(`${flags.problem}\n\n${usage}`)
  process.exitCode = 2
} else if ('help' in flags) console.log(usage)
else await run(flags)

async function run({ verbose, ...wanted }: StartFlags): Promise<void> {
  const giveUp = new AbortController()
  const { promise: started, resolve, reject } = Promise.withResolvers<Backend>()
  void nextStopSignal().then(async () => {
    giveUp.abort()
    const backend = await started.catch(() => undefined)
    await backend?.stop()
    process.exit(0)
  })
  console.log('Starting Chartroom…')
  startHarbour({ ...wanted, ...(verbose ? { onPhase: printPhase } : {}), signal: giveUp.signal }).then(
    resolve,
    reject,
  )
  try {
    const backend = await started
    if (!giveUp.signal.aborted) console.log(describe(backend, wanted.port))
  } catch (error) {
    if (giveUp.signal.aborted) return
    console.error(`Chartroom failed to start: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

function printPhase(name: string, milliseconds: number): void {
  console.log(styleText('dim', `  ${name.padEnd(10)}${milliseconds.toFixed(0).padStart(6)} ms`))
}

function describe(backend: Backend, wantedPort: number): string {
  const label = (text: string) => styleText('dim', text.padEnd(10))
  const [first, ...others] = backend.accounts.map(({ email, password }) => `${email}  ${password}`)
  const folder = backend.dataDir && shortest(backend.dataDir)
  return [
    '',
    ...(wantedPort > 0 && backend.port !== wantedPort
      ? [`  Port ${wantedPort} is in use; using port ${backend.port} instead.`, '']
      : []),
    `  ${label('Address')}${styleText(['bold', 'cyan'], backend.url)}`,
    `  ${label('Inbox')}${backend.url}/_chartroom/inbox`,
    `  ${label('Accounts')}${first ?? 'none'}`,
    ...others.map(account => `  ${label('')}${account}`),
    `  ${label('Data')}${folder ? `${folder} (persistent)` : 'in memory, lost on stop'}`,
    `  ${label('Stop')}Ctrl-C`,
    '',
  ].join('\n')
}

function shortest(path: string): string {
  const fromHere = relative(process.cwd(), path)
  return fromHere === '' || fromHere.startsWith('..') ? path : fromHere
}
