// The `backend` command: runs the embedded backend until it is told to stop.
import { parseArgs } from 'node:util'
import { FaultPlanError, readPlanFile, type FaultPlan } from '../../backend/faults/index.ts'
import { startBackend, type Backend, type BackendOptions } from '../../backend/index.ts'
import { nextStopSignal } from '../../backend/stop-signal.ts'

const USAGE = `Usage: chartroom backend [--port N] [--data DIR|memory] [--token-seconds N] [--faults FILE] [--json]

  --port N           Port on 127.0.0.1; a free one unless given
  --data DIR|memory  Where the data lies; "memory" keeps nothing (the default)
  --token-seconds N  Life of an access token; 3600 unless given
  --faults FILE      What goes wrong on command: a fault plan as JSON (docs/guide/faults.md)
  --json             Print one JSON line with url and keys when ready`

/** Thrown for arguments that cannot be used; the message names the flag and the fix. */
class UsageError extends Error {
  override name = 'UsageError'
}

/** Runs `chartroom backend`; resolves to the exit code once the backend has stopped. */
export async function backendCommand(args: string[]): Promise<number> {
  try {
    const { options, asJson, wantsHelp } = readArguments(args)
    if (wantsHelp) {
      process.stdout.write(`${USAGE}\n`)
      return 0
    }
    // Listened for before the start, so that an early Ctrl-C also ends in a clean stop.
    const stopSignal = nextStopSignal()
    const backend = await startBackend(options)
    process.stdout.write(asJson ? `${describeAsJson(backend)}\n` : describe(backend))
    await stopSignal
    await backend.stop()
    return 0
  } catch (error) {
    if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${USAGE}\n`)
    else process.stderr.write(`${explainStart(error)}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

function readArguments(args: string[]): { options: BackendOptions; asJson: boolean; wantsHelp: boolean } {
  const { port, data, json, help, faults, 'token-seconds': seconds } = parse(args)
  return {
    options: {
      port: port === undefined ? 0 : wholeNumber('--port', port, 0, 65_535),
      data: data === undefined || data === 'memory' ? 'memory' : { dir: directory(data) },
      ...(seconds === undefined
        ? {}
        : { accessTokenSeconds: wholeNumber('--token-seconds', seconds, 1, 604_800) }),
      ...(faults === undefined ? {} : { faults: faultPlan(faults) }),
    },
    asJson: json ?? false,
    wantsHelp: help ?? false,
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      strict: true,
      options: {
        port: { type: 'string' },
        data: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        'token-seconds': { type: 'string' },
        faults: { type: 'string' },
      },
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments could not be read.')
  }
}

function directory(data: string): string {
  if (data.trim() === '') throw new UsageError('--data is empty. Give a directory, or "memory".')
  return data
}

function faultPlan(file: string): FaultPlan {
  try {
    return readPlanFile(file)
  } catch (error) {
    if (error instanceof FaultPlanError) throw new UsageError(`--faults can't be used.\n${error.message}`)
    throw error
  }
}

function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new UsageError(`${flag} must be a whole number from ${least} to ${most}, not "${text}".`)
}

function describeAsJson({ url, publishableKey, secretKey, dataDir, accounts }: Backend): string {
  return JSON.stringify({
    url,
    publishableKey,
    secretKey,
    dataDir: dataDir ?? null,
    accounts,
    pid: process.pid,
  })
}

function describe(backend: Backend): string {
  const accounts = backend.accounts.map(({ email, password }) => `  ${email}  ${password}`)
  return `Chartroom's embedded backend, for development only

  URL              ${backend.url}
  Publishable key  ${backend.publishableKey}
  Data             ${backend.dataDir ?? 'in memory; gone when this stops'}

Accounts
${accounts.join('\n')}

Ctrl-C stops it.
`
}

function explainStart(error: unknown): string {
  if (!(error instanceof Error)) return 'The backend could not be started.'
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `The port is taken (EADDRINUSE). Stop what listens there, or choose another with --port.`
  }
  return `The backend could not be started: ${error.message}`
}
