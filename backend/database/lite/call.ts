// Runs one REST request in the database, with the transaction, role and settings that PostgREST would use.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Engine, LiteConnection } from '../engine.ts'
import type { Introspection } from './body.ts'
import { defaultsPlugin } from './defaults-plugin.ts'
import { readAsPostgrest, type SqlContext } from './parameters.ts'
import type { RoleSettings } from './settings.ts'
import { isRolledBack, type TransactionEnd } from './transaction-end.ts'
import { beyondMaxAffected } from './wishes.ts'
import { claimText } from '../roles.ts'
import type { Claims } from '../../keys/index.ts'

/** A request and its claims; the role exists in the database. */
export interface Call extends SqlContext {
  readonly claims: Claims
  readonly end: TransactionEnd
  /** The limits and other settings of the role. */
  readonly roleSettings: RoleSettings
  /** The time zone to run in, if it is not the database's. */
  readonly timezone: string | undefined
  /** The schema as lite must see it, if it differs. */
  readonly introspection: Introspection | undefined
}

/** What REST needs of an engine. */
export type LiteEngine = Pick<Engine, 'connection' | 'endsStatements' | 'admin' | 'asOwner'>

export interface Calls {
  /** Runs work whose database access belongs to the call. */
  run<T>(call: Call, work: () => Promise<T>): Promise<T>
}

/** Schemas in the search path of functions and policies, after the requested one. */
const SEARCHED = ['public', 'extensions']

/** Replaces lite's own identification, role grants and transactions during a call. */
export function takeOverTransactions({ connection, endsStatements }: LiteEngine): Calls {
  const calls = new AsyncLocalStorage<Call>()
  readAsPostgrest(connection.driver, () => calls.getStore(), { checksPatterns: !endsStatements })
  const introspect = connection.introspect.bind(connection)
  connection.introspect = async options => calls.getStore()?.introspection ?? introspect(options)
  const withContext: LiteConnection['withContext'] = connection.withContext.bind(connection)
  connection.withContext = async (context, work, options) => {
    const call = calls.getStore()
    if (!call) return withContext(context, work, options)
    const undone: Awaited<ReturnType<typeof work>>[] = []
    try {
      return await connection.kysely.transaction().execute(async tx => {
        await enter(connection, call)
        const done = await work(tx.withPlugin(defaultsPlugin))
        const beyond = done instanceof Response ? await beyondMaxAffected(call.request, done) : undefined
        const result = (beyond as typeof done | undefined) ?? done
        const isKept = !beyond && !isRolledBack(call.request, call.end)
        if (isKept && !(await isRefusal(connection, result))) return result
        undone.push(result)
        throw new Error('Rolled back')
      })
    } catch (error) {
      // After any failure, the connection must not stay in this transaction.
      await connection.driver.exec('rollback')
      for (const result of undone) return result
      throw error
    }
  }
  return { run: (call, work) => calls.run(call, work) }
}

/** Lite returns some errors after it has written. A status that a function sets itself is not an error. */
async function isRefusal(connection: LiteConnection, result: unknown): Promise<boolean> {
  if (!(result instanceof Response) || result.status < 400) return false
  const { rows } = await connection.driver.query<{ status: string | null }>(
    `select nullif(current_setting('response.status', true), '') as status`,
  )
  return rows[0]?.status !== String(result.status)
}

async function enter(connection: LiteConnection, call: Call): Promise<void> {
  const settings = Object.entries(settingsOf(call))
  const calls = settings.map((_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, true)`)
  const { driver } = connection
  const sql = `select ${calls.join(', ')}`
  await (driver.prepend?.(sql, settings.flat()) ?? driver.query(sql, settings.flat()))
}

function settingsOf({ request, claims, roleSettings, timezone }: Call): Record<string, string> {
  const { method, headers, url } = request
  const reads = method === 'GET' || method === 'HEAD'
  const profile = headers.get(reads ? 'accept-profile' : 'content-profile') ?? 'public'
  const schemas = new Set([profile, ...SEARCHED])
  return {
    ...roleSettings,
    search_path: [...schemas].map(name => `"${name.replaceAll('"', '""')}"`).join(', '),
    'request.method': method,
    'request.path': new URL(url).pathname.replace(/^\/rest\/v1/, ''),
    'request.headers': JSON.stringify(Object.fromEntries([...headers].filter(([name]) => name !== 'cookie'))),
    'request.cookies': JSON.stringify(cookiesOf(headers)),
    'request.jwt.claims': JSON.stringify(claims),
    'request.jwt.claim.sub': claimText(claims.sub),
    'request.jwt.claim.role': claims.role,
    'request.jwt.claim.email': claimText(claims.email),
    'response.status': '',
    'response.headers': '',
    ...(timezone === undefined ? {} : { timezone }),
    ...(reads ? { transaction_read_only: 'on' } : {}),
    // Set last, because the role may not have permission for the other settings.
    session_authorization: 'authenticator',
    role: claims.role,
  }
}

function cookiesOf(headers: Headers): Record<string, string> {
  const pairs = (headers.get('cookie') ?? '').split(';').map(pair => pair.trim().split('='))
  return Object.fromEntries(pairs.flatMap(([name, ...rest]) => (name ? [[name, rest.join('=')]] : [])))
}
