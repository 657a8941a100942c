// `chartroom schema`: writes a backend's tables and functions to a file that the workbench reads.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { defineCommand, type ExitCode, reasonOf, UsageError } from './command.ts'
import { print } from './print.ts'
import { checkNew, WRITE_FLAGS, writeNew } from './write-file.ts'
import { fieldOf, parsed, wordsIn } from './response-text.ts'
import { oneLine } from '../trace/index.ts'

/** Command lines are visible to every user of a machine and stored by shells; the environment is not. */
const KEY = 'CHARTROOM_SECRET_KEY'
const TIMEOUT_MS = 30_000

/** Runs `chartroom schema`; resolves to the exit code. */
export const schemaCommand = defineCommand({
  usage: 'schema --url URL --out FILE [flags]',
  text: `Writes the tables, columns, keys and functions of a backend to a file, so that the workbench can list them: drop
the file into it, or serve it with the app (docs/guide/deploy.md). The file contains names, types and comments, no rows
and no keys.

Hosted projects describe themselves to secret keys only. The key is read from ${KEY}, or asked for at the
terminal. It is sent to the backend only.

Exit code: 0 written, 1 the backend refused or did not respond, 2 invalid arguments.`,
  flags: {
    url: {
      type: 'string',
      value: 'URL',
      about: 'Base URL of the backend, e.g. https://your-project.supabase.co',
    },
    out: { type: 'string', value: 'FILE', about: 'Output file, e.g. schema.json' },
    schema: {
      type: 'string',
      value: 'NAME',
      isRepeatable: true,
      about: 'Only this schema; repeatable. Default: every exposed schema',
    },
    ...WRITE_FLAGS,
  },
  takes: [0, 0, 'name'],
  fails: 1,
  explain: error => `The schema could not be read. ${reasonOf(error)}`,
  async run({ values: { url, out, schema, force } }): Promise<ExitCode> {
    if (out === undefined || out.trim() === '')
      throw new UsageError('--out is missing. Name the file to write.')
    const base = baseOf(url)
    await checkNew(out, force)
    const backend = { base, key: secretKey(await keyFor(base)) }
    const names = schema.length > 0 ? schema : await exposedSchemas(backend)
    const schemas: Record<string, unknown> = {}
    for (const name of names) schemas[name] = trimmed(await describe(backend, name))
    const file = { format: 'chartroom-schema', version: 1, schemas }
    await writeNew(out, `${JSON.stringify(file, null, 1)}\n`, force)
    print(`${oneLine(out)} describes ${names.map(oneLine).join(', ')} of ${base}.\n`)
    return 0
  },
})

interface Backend {
  readonly base: string
  readonly key: string
}

/** A secret key must not cross a network in the clear. */
function baseOf(text: string | undefined): string {
  const url = URL.parse(text ?? '')
  if (text === undefined || !url || !/^https?:$/.test(url.protocol))
    throw new UsageError('--url must be the base URL of a backend, such as https://your-project.supabase.co.')
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !isLocal)
    throw new UsageError('--url must begin with https://: the secret key would be readable on the network.')
  if (url.username !== '' || url.search !== '')
    throw new UsageError(`--url must not contain a key. Set ${KEY} instead.`)
  return url.href.replace(/\/(?:rest\/v1\/?)?$/, '')
}

async function keyFor(base: string): Promise<string> {
  const key = process.env[KEY]
  if (key !== undefined) return key.trim()
  if (!process.stdin.isTTY)
    throw new UsageError(`No secret key: set ${KEY}, or run the command at a terminal, which asks for it.`)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    process.stderr.write(`Secret key of ${base} (not shown): `)
    return (await terminal.question('')).trim()
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

/** The message never contains the key. */
function secretKey(key: string): string {
  const fix = 'Use the secret key (sb_secret_…) or the service_role key of the project.'
  if (key === '') throw new UsageError(`The key is empty. ${fix}`)
  if (key.startsWith('sb_publishable_') || roleIn(key) === 'anon')
    throw new UsageError(`This is a public key, to which projects do not describe themselves. ${fix}`)
  if (/[^\x21-\x7e]/.test(key)) throw new UsageError(`The key contains a character that no key has. ${fix}`)
  return key
}

function roleIn(key: string): unknown {
  try {
    const claims: unknown = JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString())
    return fieldOf(claims, 'role')
  } catch {
    return undefined
  }
}

async function ask({ base, key }: Backend, path: string, headers: Record<string, string>): Promise<Response> {
  const authorization = key.includes('.') ? { authorization: `Bearer ${key}` } : {}
  return fetch(`${base}/rest/v1/${path}`, {
    headers: { ...headers, apikey: key, ...authorization },
    // The key must not follow to another host.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new Error(`${base} did not respond: ${reasonOf(cause)}.`, { cause: error })
  })
}

/** PostgREST names the schemas when it refuses another. */
async function exposedSchemas(backend: Backend): Promise<readonly string[]> {
  const answer = await ask(backend, '_?limit=0', { 'accept-profile': 'which schemas are there?' })
  const message = wordsIn(await answer.text())
  const list = /(?:schemas are exposed|one of the following): ([^"]+)/.exec(message)?.[1] ?? ''
  const names = list.split(/,\s*/).filter(name => name !== '')
  if (names.includes('pg_pgrst_no_exposed_schemas'))
    throw new Error('The Data API of this project is disabled. Enable it in the settings of the project.')
  return names.length > 0 ? names : ['public']
}

async function describe(backend: Backend, schema: string): Promise<unknown> {
  const accept = 'application/openapi+json'
  const answer = await ask(backend, '', { accept, 'accept-profile': schema })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${backend.base} answered ${answer.status}: ${wordsIn(text)}`)
  const document = parsed(text)
  if (fieldOf(document, 'definitions') === undefined)
    throw new Error(`${backend.base}/rest/v1/ is not PostgREST's description of a schema.`)
  return document
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

/** What the workbench reads: without responses, and without the parameters that every table has. */
function trimmed(document: unknown): unknown {
  const paths: (readonly [string, unknown])[] = entriesOf(fieldOf(document, 'paths')).map(
    ([path, methods]) => [
      path,
      Object.fromEntries(
        entriesOf(methods).map(([method, operation]) => [
          method,
          path.startsWith('/rpc/') && method === 'post' ? trimmedCall(operation) : {},
        ]),
      ),
    ],
  )
  const described: Record<string, unknown> = Object.fromEntries(paths)
  return { definitions: fieldOf(document, 'definitions'), paths: described }
}

function trimmedCall(operation: unknown): unknown {
  const parameters = fieldOf(operation, 'parameters')
  const body = Array.isArray(parameters) ? parameters.filter(each => fieldOf(each, 'in') === 'body') : []
  const texts = ['summary', 'description'].flatMap(name => {
    const text = fieldOf(operation, name)
    return typeof text === 'string' ? [[name, text]] : []
  })
  return { ...Object.fromEntries(texts), parameters: body }
}
