// The flags of `npm start`.
import { parseArgs } from 'node:util'
import { parseOrigin } from '../backend/gateway/origins.ts'

export interface StartFlags {
  readonly port: number
  readonly data: 'memory' | { readonly dir: string }
  readonly accessTokenSeconds?: number
  /** Origins whose pages may call the backend, in addition to loopback origins. */
  readonly allowOrigins?: readonly string[]
  /** Print the duration of each startup phase. */
  readonly verbose?: true
}

export const usage = `Usage: npm start -- [flags]

  --port N            port to listen on (default 4400); falls back to the next free one
  --memory            keep data in memory until the program stops
  --data DIR          data folder (default .chartroom)
  --allow-origin URL  allow pages of this origin, e.g. https://app.example; repeatable
  --token-seconds N   lifetime of access tokens in seconds
  --verbose           print the duration of each startup phase
  --help              show this help`

/** Parses the flags; `problem` is a sentence about what is wrong with them. */
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
      return { problem: '--memory stores nothing on disk, so it cannot be combined with --data.' }
    if (values.data === '') return { problem: '--data must be the path of a folder.' }
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
  throw new Error(`${flag} must be a whole number from ${min} to ${max}, not "${text}".`)
}
