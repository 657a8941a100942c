// The flags of `npm start`.
import { parseArgs } from 'node:util'
import { parseOrigin } from '../backend/gateway/origins.ts'

export interface StartFlags {
  readonly port: number
  readonly data: 'memory' | { readonly dir: string }
  readonly accessTokenSeconds?: number
  /** Origins whose pages may call the backend, besides loopback ones. */
  readonly allowOrigins?: readonly string[]
  /** Tell what the start spends its time on. */
  readonly verbose?: true
}

export const usage = `Usage: npm start -- [flags]

  --port N            where to listen (default 4400); the next free port is used if it is taken
  --memory            keep nothing: the data lives until the program stops
  --data DIR          where to keep the data (default .chartroom)
  --allow-origin URL  let pages of this origin call the backend, e.g. https://app.example; repeatable
  --token-seconds N   how long an access token lives
  --verbose           tell what the start spends its time on
  --help              show this`

/** Reads the flags; `problem` says in a sentence what is wrong with them. */
export function parseStartFlags(args: readonly string[]): StartFlags | { help: true } | { problem: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '4400' },
        memory: { type: 'boolean', default: false },
        data: { type: 'string' },
        'allow-origin': { type: 'string', multiple: true, default: [] },
        'token-seconds': { type: 'string' },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return { help: true }
    if (values.memory && values.data !== undefined)
      return { problem: '--memory keeps nothing, so it can not go with --data.' }
    if (values.data === '') return { problem: '--data needs the name of a folder.' }
    const port = wholeNumber('--port', values.port, 0, 65535)
    const seconds = values['token-seconds']
    const allowOrigins = values['allow-origin'].map(parseOrigin)
    return {
      port,
      ...(values.verbose ? { verbose: true } : {}),
      data: values.memory ? 'memory' : { dir: values.data ?? '.chartroom' },
      ...(allowOrigins.length === 0 ? {} : { allowOrigins }),
      ...(seconds === undefined
        ? {}
        : { accessTokenSeconds: wholeNumber('--token-seconds', seconds, 1, 604_800) }),
    }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN
  if (value >= min && value <= max) return value
  throw new Error(`${flag} needs a whole number from ${min} to ${max}, not "${text}".`)
}
