// `npm run compatibility -- compare`: sends the same conversations to the embedded backend and to an original
// server, and lists each difference.
import { parseArgs } from 'node:util'
import {
  AUTH_CONVERSATIONS,
  AUTH_HEADERS,
  firstVariables,
  KNOWN_OF_AUTH,
  PROFILES,
  removeUsers,
  usersOf,
} from './auth/index.ts'
import { openMailSink } from './mail-sink.ts'
import { describeRows, groupDifferences, writeRows, type KnownDifference } from './report.ts'
import { runConversations, type Suite } from './run.ts'
import { connectOriginal, startOurs, type Server } from './servers.ts'
import {
  KNOWN_OF_STORAGE,
  preparePolicies,
  removeBuckets,
  requireNoBuckets,
  STORAGE,
} from './storage/index.ts'

const USAGE = `Usage: npm run compatibility -- compare --auth URL --profile NAME [--smtp-port N] [--write]
       npm run compatibility -- compare --storage URL --database URL [--write]
       npm run compatibility -- compare --environment NAME

--auth URL          an original auth server with the profile's environment and an empty database
--profile NAME      ${Object.keys(PROFILES).join(', ')}: the settings of both servers
--environment NAME  prints the profile's environment variables for the original
--smtp-port N       where the original's emails arrive (default: 2500)
--storage URL       an original storage server without buckets
--database URL      its database, whose policies of storage are replaced
--write             writes the differences to docs/compatibility.md`

const options = {
  auth: { type: 'string' },
  profile: { type: 'string' },
  environment: { type: 'string' },
  'smtp-port': { type: 'string', default: '2500' },
  storage: { type: 'string' },
  database: { type: 'string' },
  write: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

/** An invalid argument, or an original that can't be compared with. */
class UsageError extends Error {
  override name = 'UsageError'
}

/** Sets the exit code: 1 if there is a difference without a reason, 2 if the arguments are unusable. */
export async function compareWith(args: readonly string[]): Promise<void> {
  try {
    const { values } = parseArgs({ args: [...args], options })
    if (values.environment !== undefined) printEnvironment(values.environment)
    else process.exitCode = await (values.storage === undefined ? compareAuth : compareStorage)(values)
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

async function compareAuth(values: Values): Promise<number> {
  const base = baseOf('auth', values.auth)
  const { profile = '', write } = values
  const { ours } = profileOf(profile)
  const conversations = AUTH_CONVERSATIONS[profile] ?? []
  const mails = await openMailSink(portOf(values['smtp-port']))
  const original = connectOriginal(base, mails)
  try {
    // Conversations create users and delete all of them.
    if ((await usersOf(original)).length > 0)
      throw new UsageError(`The original at ${base} has users. Compare with an empty database.`)
    const embedded = await startOurs({ auth: ours }, 'auth/v1')
    try {
      // Those of the demo.
      await removeUsers(embedded)
      const suite = { conversations, firstVariables, headers: AUTH_HEADERS }
      return await compare({ profile, suite, known: KNOWN_OF_AUTH, write }, [embedded, original])
    } finally {
      await embedded.stop()
      await removeUsers(original)
    }
  } finally {
    await original.stop()
  }
}

async function compareStorage({ storage, database, write }: Values): Promise<number> {
  const original = connectOriginal(baseOf('storage', storage), undefined)
  if (database === undefined) throw new UsageError("The original's database is missing: pass --database.")
  await requireNoBuckets(original)
  const embedded = await startOurs({ databaseAccess: {} }, 'storage/v1')
  try {
    // Those of the demo.
    await removeBuckets(embedded)
    await preparePolicies(embedded.databaseUrl ?? '')
    await preparePolicies(database)
    const named = { profile: 'storage', suite: STORAGE, known: KNOWN_OF_STORAGE, write }
    return await compare(named, [embedded, original])
  } finally {
    await embedded.stop()
    await removeBuckets(original)
  }
}

interface Named {
  readonly profile: string
  readonly suite: Suite
  readonly known: readonly KnownDifference[]
  readonly write: boolean
}

async function compare(
  { profile, suite, known, write }: Named,
  servers: readonly [ours: Server, theirs: Server],
): Promise<number> {
  const { requests, found } = await runConversations(suite, servers)
  const rows = groupDifferences(profile, found, known)
  console.log(describeRows(rows))
  const open = rows.filter(({ reason }) => reason === undefined).length
  const counts = `${suite.conversations.length} conversations, ${requests} steps`
  console.log(`${profile}: ${counts}, ${rows.length} differences, ${open} without a reason`)
  if (write) await writeRows(profile, rows)
  return open > 0 ? 1 : 0
}

function profileOf(name: string): (typeof PROFILES)[string] {
  const profile = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined
  if (profile) return profile
  throw new UsageError(`Unknown profile: ${name || '(none)'}. Pass ${Object.keys(PROFILES).join(', ')}.`)
}

function baseOf(flag: 'auth' | 'storage', text: string | undefined): string {
  if (text === undefined) throw new UsageError('The URL of an original is missing: pass --auth or --storage.')
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--${flag} must be an http URL, not ${text}.`)
  return text.replace(/\/$/, '')
}

function portOf(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new UsageError(`--smtp-port must be a port, not ${text}.`)
}
