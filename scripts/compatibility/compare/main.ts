// `npm run compatibility -- compare`: sends the same conversations to the embedded backend and to an original
// server, and lists each difference.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
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
import { runConversations, type Comparison, type Suite } from './run.ts'
import { connectOriginal, startOurs, type Server } from './servers.ts'
import {
  KNOWN_OF_STORAGE,
  preparePolicies,
  removeBuckets,
  requireNoBuckets,
  STORAGE,
} from './storage/index.ts'
import { authEnvironment, compareTraffic, seedStorage, type TrafficSuite } from './traffic.ts'

const USAGE = `Usage: npm run compatibility -- compare --auth URL --profile NAME [--smtp-port N] [--write]
       npm run compatibility -- compare --storage URL --database URL [--write]
       npm run compatibility -- compare --auth URL --supabase-js DIR [--smtp-port N] [--write]
       npm run compatibility -- compare --storage URL --database URL --supabase-js DIR [--write]
       npm run compatibility -- compare --environment NAME [--supabase-js DIR]

--auth URL          an original auth server with the profile's environment and an empty database
--profile NAME      ${Object.keys(PROFILES).join(', ')}: the settings of both servers
--supabase-js DIR   sends the requests of the official suite, auth-js or storage-js, of this checkout instead
--environment NAME  prints the environment variables for the original: those of a profile, or of auth-js
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
  'supabase-js': { type: 'string' },
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
    if (values.environment !== undefined) printEnvironment(values.environment, values['supabase-js'])
    else process.exitCode = await (values.storage === undefined ? compareAuth : compareStorage)(values)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    console.error(`${error.message}\n\n${USAGE}`)
    process.exitCode = 2
  }
}

function printEnvironment(name: string, checkout: string | undefined): void {
  const original = name === 'auth-js' ? authEnvironment(checkoutOf(checkout)) : profileOf(name).original
  for (const [key, value] of Object.entries(original)) console.log(`${key}=${quote(value)}`)
}

/** Quoted for a shell. */
function quote(text: string): string {
  return /^[\w./:@-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

async function compareAuth(values: Values): Promise<number> {
  const base = baseOf('auth', values.auth)
  const { profile = '', write, 'supabase-js': checkout } = values
  const folder = checkout === undefined ? undefined : checkoutOf(checkout)
  const { ours } = folder === undefined ? profileOf(profile) : { ours: {} }
  const conversations = AUTH_CONVERSATIONS[profile] ?? []
  const mails = await openMailSink(portOf(values['smtp-port']))
  const original = connectOriginal(base, mails)
  try {
    // Conversations create users and delete all of them.
    if ((await usersOf(original)).length > 0)
      throw new UsageError(`The original at ${base} has users. Compare with an empty database.`)
    try {
      if (folder !== undefined) return await reportTraffic('auth-js', folder, original, KNOWN_OF_AUTH, write)
      const embedded = await startOurs({ auth: ours }, 'auth/v1')
      try {
        // Those of the demo.
        await removeUsers(embedded)
        const suite = { conversations, firstVariables, headers: AUTH_HEADERS }
        return await compare({ profile, suite, known: KNOWN_OF_AUTH, write }, [embedded, original])
      } finally {
        await embedded.stop()
      }
    } finally {
      await removeUsers(original)
    }
  } finally {
    await original.stop()
  }
}

async function compareStorage(values: Values): Promise<number> {
  const { storage, database, write, 'supabase-js': checkout } = values
  const original = connectOriginal(baseOf('storage', storage), undefined)
  if (database === undefined) throw new UsageError("The original's database is missing: pass --database.")
  await requireNoBuckets(original)
  if (checkout !== undefined) {
    const folder = checkoutOf(checkout)
    await preparePolicies(database)
    await seedStorage(folder, database)
    try {
      return await reportTraffic('storage-js', folder, original, KNOWN_OF_STORAGE, write)
    } finally {
      await removeBuckets(original)
    }
  }
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

async function reportTraffic(
  profile: TrafficSuite,
  folder: string,
  original: Server,
  known: readonly KnownDifference[],
  write: boolean,
): Promise<number> {
  const { comparison, tests } = await compareTraffic(profile, folder, original.base)
  const failed = tests.filter(({ passed }) => !passed)
  for (const { name, reason = 'no reason given' } of failed) console.log(`failed: ${name}: ${reason}`)
  const counts = `${tests.length - failed.length} of ${tests.length} tests passed, ${comparison.requests} requests`
  return report({ profile, known, write }, comparison, counts)
}

interface Named {
  readonly profile: string
  readonly known: readonly KnownDifference[]
  readonly write: boolean
}

async function compare(
  { suite, ...named }: Named & { readonly suite: Suite },
  servers: readonly [ours: Server, theirs: Server],
): Promise<number> {
  const comparison = await runConversations(suite, servers)
  return report(
    named,
    comparison,
    `${suite.conversations.length} conversations, ${comparison.requests} steps`,
  )
}

async function report(
  { profile, known, write }: Named,
  { found }: Comparison,
  counts: string,
): Promise<number> {
  const rows = groupDifferences(profile, found, known)
  console.log(describeRows(rows))
  const open = rows.filter(({ reason }) => reason === undefined).length
  console.log(`${profile}: ${counts}, ${rows.length} differences, ${open} without a reason`)
  if (write) await writeRows(profile, rows)
  return open > 0 ? 1 : 0
}

function profileOf(name: string): (typeof PROFILES)[string] {
  const profile = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined
  if (profile) return profile
  throw new UsageError(`Unknown profile: ${name || '(none)'}. Pass ${Object.keys(PROFILES).join(', ')}.`)
}

function checkoutOf(path: string | undefined): string {
  if (path === undefined) throw new UsageError('The checkout of supabase-js is missing: pass --supabase-js.')
  const folder = resolve(path)
  if (existsSync(join(folder, 'packages/core/auth-js'))) return folder
  throw new UsageError(`There is no checkout of supabase-js in ${folder}.`)
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
