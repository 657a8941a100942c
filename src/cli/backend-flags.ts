// The flags of `chartroom backend`.
import { parseArgs } from 'node:util'
import { FaultPlanError, readPlanFile, type FaultPlan } from '../../backend/faults/index.ts'
import type { BackendOptions } from '../../backend/index.ts'
import { reading, UsageError, wholeNumber } from './usage.ts'

export const USAGE = `Usage: chartroom backend [flags]

  --port N           Port; a free one unless given, or the project's
  --host ADDRESS     Where to listen; 127.0.0.1 unless given
  --data DIR|memory  Where the data lies; "memory" keeps nothing (the default)
  --reset            Empty the data directory first; keys are kept
  --yes              Don't ask before a reset
  --project DIR      Read the migrations, seeds and config of an existing project: the folder that holds "supabase"
  --keys own|cli     "cli": the well-known keys of \`supabase start\`; "own" unless given
  --db-port N        Open the database to psql and drivers on this port of 127.0.0.1; 0: a free one
  --db-password TEXT Password for it; a random one that is kept unless given
  --token-seconds N  Life of an access token; 3600 unless given
  --faults FILE      What goes wrong on command: a fault plan as JSON (docs/guide/faults.md)
  --verbose          Print what the start spends its time on
  --json             Print one JSON line with url and keys when ready`

export interface BackendFlags {
  readonly options: BackendOptions
  readonly asJson: boolean
  readonly isVerbose: boolean
  readonly wantsHelp: boolean
  /** The directory to empty, and whether to ask first. */
  readonly reset: { readonly dir: string; readonly asks: boolean } | undefined
}

/** @throws UsageError naming the flag and the fix */
export function readFlags(args: string[]): BackendFlags {
  const values = reading(() => parse(args))
  const data =
    values.data === undefined || values.data === 'memory' ? 'memory' : { dir: folder('--data', values.data) }
  const { reset = false, yes = false } = values
  if (reset && data === 'memory')
    throw new UsageError('--reset empties a data directory. Name it with --data.')
  if (yes && !reset) throw new UsageError('--yes answers what --reset asks, and there is no --reset.')
  return {
    options: { data, ...givenOptions(values) },
    asJson: values.json ?? false,
    isVerbose: values.verbose ?? false,
    wantsHelp: values.help ?? false,
    reset: reset && data !== 'memory' ? { dir: data.dir, asks: !yes } : undefined,
  }
}

type Values = ReturnType<typeof parse>

function parse(args: string[]) {
  return parseArgs({
    args,
    strict: true,
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      data: { type: 'string' },
      reset: { type: 'boolean' },
      yes: { type: 'boolean' },
      project: { type: 'string' },
      keys: { type: 'string' },
      'db-port': { type: 'string' },
      'db-password': { type: 'string' },
      'token-seconds': { type: 'string' },
      faults: { type: 'string' },
      verbose: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values
}

function givenOptions(values: Values): Partial<BackendOptions> {
  const { port, host, project, keys, faults, 'token-seconds': seconds } = values
  return {
    ...(port === undefined ? {} : { port: wholeNumber('--port', port, 0, 65_535) }),
    ...(host === undefined ? {} : { host: folder('--host', host) }),
    ...(project === undefined ? {} : { project: folder('--project', project) }),
    ...(keys === undefined ? {} : { keys: whose(keys) }),
    ...(seconds === undefined
      ? {}
      : { accessTokenSeconds: wholeNumber('--token-seconds', seconds, 1, 604_800) }),
    ...(faults === undefined ? {} : { faults: faultPlan(faults) }),
    ...databaseAccess(values),
  }
}

function databaseAccess(values: Values): Pick<BackendOptions, 'databaseAccess'> {
  const { 'db-port': port, 'db-password': password } = values
  if (port === undefined) {
    if (password === undefined) return {}
    throw new UsageError('--db-password is of no use without --db-port.')
  }
  if (password?.trim() === '') throw new UsageError('--db-password is empty. Give one, or leave it out.')
  return {
    databaseAccess: {
      port: wholeNumber('--db-port', port, 0, 65_535),
      ...(password === undefined ? {} : { password }),
    },
  }
}

function folder(flag: string, text: string): string {
  if (text.trim() !== '') return text
  const fix = { '--data': 'Give a directory, or "memory".', '--project': 'Give a directory.' }[flag]
  throw new UsageError(`${flag} is empty. ${fix ?? 'Give an address.'}`)
}

function whose(keys: string): 'own' | 'cli' {
  if (keys === 'own' || keys === 'cli') return keys
  throw new UsageError(`--keys must be "own" or "cli", not "${keys}".`)
}

function faultPlan(file: string): FaultPlan {
  try {
    return readPlanFile(file)
  } catch (error) {
    if (error instanceof FaultPlanError) throw new UsageError(`--faults can't be used.\n${error.message}`)
    throw error
  }
}
