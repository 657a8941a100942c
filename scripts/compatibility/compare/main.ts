// `npm run compatibility -- compare`: sends the same conversations to the embedded backend and to an original
// server, and lists each difference.
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { AUTH_CONVERSATIONS, firstVariables, PROFILES } from './auth/index.ts'
import { openMailSink } from './mail-sink.ts'
import { describeRows, groupDifferences, writeRows } from './report.ts'
import { runConversations } from './run.ts'
import { connectOriginal, serviceToken, startOurs, type Server } from './servers.ts'

const USAGE = `Usage: npm run compatibility -- compare --auth URL --profile NAME [--smtp-port N] [--write]
       npm run compatibility -- compare --environment NAME

--auth URL          an original auth server with the profile's environment and an empty database
--profile NAME      ${Object.keys(PROFILES).join(', ')}: the settings of both servers
--environment NAME  prints the profile's environment variables for the original
--smtp-port N       where the original's emails arrive (default: 2500)
--write             writes the differences to docs/compatibility.md`

const usersSchema = v.object({ users: v.array(v.object({ id: v.string() })) })

const options = {
  auth: { type: 'string' },
  profile: { type: 'string' },
  environment: { type: 'string' },
  'smtp-port': { type: 'string', default: '2500' },
  write: { type: 'boolean', default: false },
} as const

/** An invalid argument, or an original that can't be compared with. */
class UsageError extends Error {
  override name = 'UsageError'
}

/** Sets the exit code: 1 if there is a difference without a reason, 2 if the arguments are unusable. */
export async function compareWith(args: readonly string[]): Promise<void> {
  try {
    const { values } = parseArgs({ args: [...args], options })
    if (values.environment !== undefined) printEnvironment(values.environment)
    else process.exitCode = await compareAuth(values)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    console.error(`${error.message}\n\n${USAGE}`)
    process.exitCode = 2
  }
}

function printEnvironment(name: string): void {
  for (const [key, value] of Object.entries(profileOf(name).original)) console.log(`${key}=${quote(value)}`)
}

/** Quoted for a shell. */
function quote(text: string): string {
  return /^[\w./:@-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

interface Values {
  readonly auth?: string | undefined
  readonly profile?: string | undefined
  readonly 'smtp-port': string
  readonly write: boolean
}

async function compareAuth(values: Values): Promise<number> {
  if (values.auth === undefined) throw new UsageError('The URL of an original is missing: pass --auth.')
  const base = baseOf(values.auth)
  const { profile = '' } = values
  const { ours } = profileOf(profile)
  const mails = await openMailSink(portOf(values['smtp-port']))
  const original = connectOriginal(base, mails)
  try {
    await requireEmpty(original)
    const embedded = await startOurs({ auth: ours }, 'auth/v1')
    try {
      // Those of the demo.
      await removeUsers(embedded)
      const conversations = AUTH_CONVERSATIONS[profile] ?? []
      const { requests, found } = await runConversations(conversations, [embedded, original], firstVariables)
      const rows = groupDifferences(profile, found)
      console.log(describeRows(rows))
      const open = rows.filter(({ reason }) => reason === undefined).length
      console.log(
        `${profile}: ${conversations.length} conversations, ${requests} steps, ${rows.length} differences, ${open} without a reason`,
      )
      if (values.write) await writeRows(profile, rows)
      return open > 0 ? 1 : 0
    } finally {
      await embedded.stop()
      await removeUsers(original)
    }
  } finally {
    await original.stop()
  }
}

function profileOf(name: string): (typeof PROFILES)[string] {
  const profile = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined
  if (profile) return profile
  throw new UsageError(`Unknown profile: ${name || '(none)'}. Pass ${Object.keys(PROFILES).join(', ')}.`)
}

function baseOf(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--auth must be an http URL, not ${text}.`)
  return text.replace(/\/$/, '')
}

function portOf(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new UsageError(`--smtp-port must be a port, not ${text}.`)
}

const ADMIN_HEADERS = { authorization: `Bearer ${serviceToken()}` }

/** Conversations create users and delete all of them, so that none may be there before. */
async function requireEmpty(original: Server): Promise<void> {
  const users = await usersOf(original)
  if (users.length > 0)
    throw new UsageError(`The original at ${original.base} has users. Compare with an empty database.`)
}

async function removeUsers(server: Server): Promise<void> {
  for (;;) {
    const ids = await usersOf(server)
    if (ids.length === 0) return
    for (const id of ids)
      await server.send({
        method: 'DELETE',
        path: `/admin/users/${id}`,
        headers: ADMIN_HEADERS,
        body: undefined,
      })
  }
}

async function usersOf(original: Server): Promise<string[]> {
  const path = '/admin/users?per_page=100'
  const request = { method: 'GET', path, headers: ADMIN_HEADERS, body: undefined }
  const { status, body } = await original.send(request).catch((error: unknown) => {
    throw new UsageError(`The original at ${original.base} can't be reached: ${String(error)}`)
  })
  const parsed = v.safeParse(usersSchema, body)
  if (parsed.success) return parsed.output.users.map(({ id }) => id)
  throw new UsageError(
    `The original at ${original.base} answered ${status} to its list of users. Start it with the profile's environment.`,
  )
}
