// @supabase/lite without its log output: REST on our PGlite, for a caller that the backend has identified.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { LiteConnection } from '../engine.ts'
import { type Introspection, prepareBody } from './body.ts'
import { type LiteEngine, takeOverTransactions } from './call.ts'
import { asCsv, prefersCsv, readCsvBody } from './csv.ts'
import { readCall, type ReadCall } from './function-calls.ts'
import type { ComputedColumns } from './parameters.ts'
import { markNumbers } from './exact-numbers.ts'
import { nameFailure } from './failures.ts'
import { grantHint } from './grant-hint.ts'
import { followSchema } from '../follow-schema.ts'
import { serveOnly } from './served-schemas.ts'
import {
  liteOptions,
  readRoleSettings,
  readSettings,
  type RestLimits,
  type RoleSettings,
} from './settings.ts'
import { tableIn } from './request-path.ts'
import { transactionEnd } from './transaction-end.ts'
import { forClient, forLite, inDefaultSchema, timezoneOf, withoutAliasHints } from './wishes.ts'
import type { Secrets } from '../../shared/data-directory.ts'
import { textOf } from '../../shared/fields.ts'
import type { Claims } from '../../keys/index.ts'

export interface Lite {
  /** Handles a REST request with the given claims; the request's own credentials are ignored. */
  rest(request: Request, claims: Claims): Promise<Response>
}

/** Starts lite on a connection whose roles exist; its own auth stays off. */
export async function createLite(
  engine: LiteEngine,
  secrets: Secrets,
  limits: RestLimits = {},
): Promise<Lite> {
  const { connection, endsStatements } = engine
  const { App } = await importQuietly()
  const app = new App({
    connection,
    auth: {
      enabled: false,
      jwt_secret: secrets.jwtSecret,
      publishable_key: secrets.publishableKey,
      secret_key: secrets.secretKey,
    },
    api: liteOptions(new Map(), limits),
    studio: { enabled: false },
    storage: { enabled: false },
  })
  await app.init()
  const { api } = app.config
  // A setting that was reset in the database has its first value again.
  const first = { max_rows: undefined, ...api }
  serveOnly(connection, () => api.schemas ?? ['public'])
  let end = transactionEnd(undefined)
  let roleSettings: ReadonlyMap<string, RoleSettings> = new Map()
  const schema = await followSchema(engine, async () => {
    await connection.clearSchemaCache()
    const settings = await readSettings(connection)
    Object.assign(api, first, liteOptions(settings, limits))
    end = transactionEnd(settings.get('db_tx_end'))
    // PGlite would not apply them.
    if (endsStatements) roleSettings = await readRoleSettings(connection)
    // Requests that run at the same time would otherwise each read the schema.
    await connection.introspect({ useCache: true })
  })
  const lastErrors = watchErrors(connection)
  const introspect = () => quietly.run(true, () => connection.introspect({ useCache: true }))
  const calls = takeOverTransactions(engine)
  return {
    async rest(given, claims) {
      await schema.refresh()
      const request = await readCsvBody(inDefaultSchema(given, api.schemas))
      if (request instanceof Response) return request
      const introspection = await introspect()
      const names = namesOf(introspection)
      const send = async (sent: Request): Promise<Response> => {
        const read = await readCall(sent, introspection)
        if (read instanceof Response) return read
        const one = read?.request ?? sent
        const headers = new Headers(one.headers)
        headers.set('apikey', secrets.publishableKey)
        headers.delete('authorization')
        const last: LastError = {}
        const marked = await markNumbers(forLite(new Request(one, { headers })))
        const prepared = await prepareBody(marked, introspection)
        const call = {
          request: one,
          claims,
          computed: computedOf(one, names, read),
          functionCall: read?.call,
          introspection: read?.introspection,
          end,
          roleSettings: { ...roleSettings.get('authenticator'), ...roleSettings.get(claims.role) },
          asText: prefersCsv(one),
          timezone: timezoneOf(one, introspection.timezones),
        }
        const response = await calls.run(call, () =>
          quietly.run(true, () => lastErrors.run(last, async () => app.fetch(prepared))),
        )
        const { role } = claims
        const { error } = last
        const hint =
          textOf(error, 'code') === '42501'
            ? await grantHint(connection.driver, {
                request: one,
                role,
                message: textOf(error, 'message') ?? '',
              })
            : undefined
        const named = await nameFailure(response, { error, hint, role, introspection })
        return forClient(call, call.asText ? await asCsv(named) : named)
      }
      const probe = withoutAliasHints(request, names.hints)
      const ambiguous = probe && (await send(probe))
      return ambiguous?.status === 300 ? ambiguous : send(request)
    },
  }
}

/** What requests need to know of a schema. */
interface SchemaNames {
  /** Names that select one of several relationships. */
  readonly hints: ReadonlySet<string>
  /** Functions of a single row, by the type of the row. */
  readonly computed: ReadonlyMap<string, ReadonlySet<string>>
}

const schemaNames = new WeakMap<Introspection, SchemaNames>()

function namesOf(introspection: Introspection): SchemaNames {
  const known = schemaNames.get(introspection)
  if (known) return known
  const { foreign_keys, functions = [] } = introspection
  const ofRows = functions.filter(({ arg_types }) => arg_types.length === 1)
  const byRow = Map.groupBy(ofRows, ({ arg_types: [row = ''] }) => row.replaceAll('"', ''))
  const names = {
    hints: new Set(foreign_keys.flatMap(key => [key.foreign_key_name, key.column])),
    computed: new Map([...byRow].map(([row, list]) => [row, new Set(list.map(({ name }) => name))])),
  }
  schemaNames.set(introspection, names)
  return names
}

function computedOf(
  { url }: Request,
  { computed }: SchemaNames,
  read: ReadCall | undefined,
): ComputedColumns | undefined {
  if (read?.row !== undefined) {
    const names = computed.get(read.row) ?? computed.get(`public.${read.row}`)
    return names && { table: read.call.name.replace(/^.*\./, ''), names, isCall: true }
  }
  const table = tableIn(url) ?? ''
  const names = computed.get(table) ?? computed.get(`public.${table}`)
  return names && { table, names, isCall: false }
}

/** The last error of the database in a call. */
interface LastError {
  error?: unknown
}

/** Stores the database's last error of each call; calls may run in parallel. */
function watchErrors(connection: LiteConnection): AsyncLocalStorage<LastError> {
  const calls = new AsyncLocalStorage<LastError>()
  const normalize = connection.normalizeDbError.bind(connection)
  connection.normalizeDbError = error => {
    const call = calls.getStore()
    if (call) call.error = error
    return normalize(error)
  }
  return calls
}

const quietly = new AsyncLocalStorage<boolean>()

/** Lite prints every refused request with its stack; the response has enough details. */
function hushLite(): void {
  for (const level of ['error', 'warn', 'log'] as const) {
    const print = console[level]
    console[level] = (...values: unknown[]) => {
      if (!quietly.getStore()) print(...values)
    }
  }
}

let isHushed = false

async function importQuietly() {
  if (!isHushed) hushLite()
  isHushed = true
  // Importing lite replaces process.emitWarning with a version that throws if a warning is not a string.
  const { emitWarning } = process
  try {
    return await import('@supabase/lite')
  } finally {
    process.emitWarning = emitWarning
  }
}
