// `npm run collector`: sends exports of recordings to an OpenTelemetry collector, and checks that it accepts all of
// their spans and log records.
import { execFile } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import * as v from 'valibot'
import { runScript } from './run-script.ts'
import { root } from './tool.ts'

const run = promisify(execFile)

const USAGE = `Usage: npm run -s collector -- --url URL FILE...

Exports recordings as OTLP and sends them to a collector, as the guide describes. URL is the address of its OTLP
receiver over HTTP, for example http://127.0.0.1:4318.

Exit code: 0 everything was accepted, 1 something was not, 2 wrong usage.`

const SIGNALS = ['traces', 'logs'] as const

const exportSchema = v.union([
  v.object({
    resourceSpans: v.array(v.object({ scopeSpans: v.array(v.object({ spans: v.array(v.unknown()) })) })),
  }),
  v.object({
    resourceLogs: v.array(v.object({ scopeLogs: v.array(v.object({ logRecords: v.array(v.unknown()) })) })),
  }),
])
/** A collector reports here what it did not take. */
const answerSchema = v.object({
  partialSuccess: v.optional(
    v.object({
      rejectedSpans: v.optional(v.union([v.string(), v.number()])),
      rejectedLogRecords: v.optional(v.union([v.string(), v.number()])),
      errorMessage: v.optional(v.string()),
    }),
  ),
})

interface Flags {
  readonly help: boolean
  readonly url: URL
  readonly files: readonly string[]
}

await runScript(USAGE, read, main)

function read(): Flags | string {
  const { values, positionals: files } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false }, url: { type: 'string', default: '' } },
  })
  const url = URL.parse(values.url)
  if (values.help) return { help: true, url: new URL('http://127.0.0.1'), files }
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    return `--url needs the address of a collector, not "${values.url}".`
  if (files.length === 0) return 'Name at least one recording.'
  return { help: false, url, files }
}

async function main({ url, files }: Flags): Promise<number> {
  let rejected = 0
  for (const file of files)
    for (const signal of SIGNALS) {
      const problem = await send(url, file, signal)
      if (problem !== undefined) rejected += 1
      if (problem !== undefined) console.log(`${file}: ${signal} not accepted: ${problem}`)
    }
  return rejected === 0 ? 0 : 1
}

/** Returns why they were not accepted, if so. */
async function send(url: URL, file: string, signal: (typeof SIGNALS)[number]): Promise<string | undefined> {
  const args = ['src/cli/main.ts', 'export', file, '--to', 'otlp', '--signal', signal]
  const { stdout: body } = await run(process.execPath, args, { cwd: root, maxBuffer: 2 ** 29 })
  const count = countOf(v.parse(exportSchema, JSON.parse(body)))
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(new URL(`/v1/${signal}`, url), { method: 'POST', headers, body }).catch(
    ({ cause }: Error) => (cause instanceof Error ? cause.message : 'it did not respond'),
  )
  if (typeof response === 'string') return `${url.origin}: ${response}`
  const text = await response.text()
  if (!response.ok) return `${response.status} ${text}`
  const { partialSuccess } = v.parse(answerSchema, JSON.parse(text))
  const lost = Number(partialSuccess?.rejectedSpans ?? partialSuccess?.rejectedLogRecords ?? 0)
  if (lost > 0) return `${lost} of ${count} rejected: ${partialSuccess?.errorMessage ?? 'no reason given'}`
  console.log(`${file}: ${count} ${signal === 'traces' ? 'spans' : 'log records'} accepted`)
  return undefined
}

function countOf(message: v.InferOutput<typeof exportSchema>): number {
  const parts =
    'resourceSpans' in message
      ? message.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.map(({ spans }) => spans.length))
      : message.resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.map(({ logRecords }) => logRecords.length))
  return parts.reduce((sum, count) => sum + count, 0)
}
