// `npm start`: the app and its embedded backend on one address, until Ctrl-C.
import { relative } from 'node:path'
import { styleText } from 'node:util'
import type { Backend } from '../backend/index.ts'
import { startHarbour } from './harbour.ts'
import { parseStartFlags, usage, type StartFlags } from './start-flags.ts'

/** A terminal's Ctrl-C reaches us from the terminal and again through npm; this long they count as one. */
const SAME_KEYSTROKE_MS = 500
/** A stop that takes longer than this hangs. */
const STOP_DEADLINE_MS = 10_000

const flags = parseStartFlags(process.argv.slice(2))
if ('problem' in flags) {
  console.error(`${flags.problem}\n\n${usage}`)
  process.exitCode = 2
} else if ('help' in flags) console.log(usage)
else await run(flags)

async function run(wanted: StartFlags): Promise<void> {
  const giveUp = new AbortController()
  const { promise: started, resolve, reject } = Promise.withResolvers<Backend>()
  stopOnSignal(async () => {
    giveUp.abort()
    const backend = await started.catch(() => undefined)
    await backend?.stop()
  })
  console.log('Chartroom is starting …')
  startHarbour({ ...wanted, signal: giveUp.signal }).then(resolve, reject)
  try {
    const backend = await started
    if (!giveUp.signal.aborted) console.log(describe(backend, wanted.port))
  } catch (error) {
    if (giveUp.signal.aborted) return
    console.error(`Chartroom could not start. ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

function stopOnSignal(stop: () => Promise<void>): void {
  let since: number | undefined
  const onSignal = () => {
    const now = performance.now()
    if (since !== undefined) {
      if (now - since > SAME_KEYSTROKE_MS) process.exit(130)
      return
    }
    since = now
    setTimeout(() => {
      console.error('Stopping took too long, so Chartroom ends here.')
      process.exit(1)
    }, STOP_DEADLINE_MS).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(`Stopping failed: ${String(error)}`)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
}

function describe(backend: Backend, wantedPort: number): string {
  const label = (text: string) => styleText('dim', text.padEnd(10))
  const [first, ...others] = backend.accounts.map(({ email, password }) => `${email}  ${password}`)
  const folder = backend.dataDir && shortest(backend.dataDir)
  return [
    '',
    ...(wantedPort > 0 && backend.port !== wantedPort
      ? [`  Port ${wantedPort} is taken, so this is port ${backend.port}.`, '']
      : []),
    `  ${label('Address')}${styleText(['bold', 'cyan'], backend.url)}`,
    `  ${label('Accounts')}${first ?? 'none'}`,
    ...others.map(account => `  ${label('')}${account}`),
    `  ${label('Data')}${folder ? `${folder} (kept)` : 'in memory: nothing is kept'}`,
    `  ${label('Stop')}Ctrl-C`,
    '',
  ].join('\n')
}

function shortest(path: string): string {
  const fromHere = relative(process.cwd(), path)
  return fromHere === '' || fromHere.startsWith('..') ? path : fromHere
}
