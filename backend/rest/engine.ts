// The REST engine: a request becomes one statement, in which PostgreSQL reads the body and writes the response.
import type { RunSeries, SeriesStatement } from '../database/index.ts'
import { fieldOf, textOf } from '../shared/fields.ts'
import { restErrorOf } from './database-error.ts'
import type { DeniedCall } from './grant-hint.ts'
import { chooseFunction, isVoid, planCall } from './plan/call.ts'
import { planMedia, type MediaPlan } from './plan/media.ts'
import { planMutation } from './plan/mutation.ts'
import { planRead } from './plan/read.ts'
import type { ReadPlan } from './plan/read-plan.ts'
import { describeRoot } from './openapi/index.ts'
import { readResource, type Resource, type Terms } from './plan/resources.ts'
import { likeliest } from './plan/likeliest.ts'
import { type ApiRequest, readRequest } from './request/index.ts'
import { type Done, respond } from './respond.ts'
import { RestError } from './rest-error.ts'
import type { Name, Routine, SchemaCache, Table } from './schema/index.ts'
import { type Caller, preRequestStatement, settingsStatement } from './settings-of.ts'
import { type Fragment, statementOf } from './sql/fragment.ts'
import {
  callStatement,
  type CountPlan,
  estimateStatement,
  mutationStatement,
  readStatement,
  type ResultRow,
} from './sql/statement.ts'

/** Runs statements in a session of `authenticator`. */
export interface RestSession {
  readonly run: RunSeries
  /** What gives the role the privileges that a call lacks, if it lacks some. */
  hintOf(call: DeniedCall): Promise<string | undefined>
}

/** @throws errors that are no fault of the request */
export async function answer(
  cache: SchemaCache,
  session: RestSession,
  request: Request,
  caller: Caller,
): Promise<Response> {
  try {
    const read = await readRequest(request, cache.settings)
    const respondTo = (each: ApiRequest) =>
      each.action.kind === 'root'
        ? describeRoot(cache, session.run, each, caller, new URL('/rest/v1/', request.url))
        : new Answer(cache, session, each, caller).respond()
    return await respondTo(read).catch((error: unknown) => {
      if (!isUnknownTimezone(read, error)) throw error
      return respondTo({ ...read, prefer: withoutTimezone(read) })
    })
  } catch (error) {
    const refusal = error instanceof RestError ? error : restErrorOf(error, caller.role)
    if (!refusal) throw error
    return (await withHint(session, refusal, request, caller)).toResponse(request.method === 'HEAD')
  }
}

async function withHint(
  session: RestSession,
  { fields }: RestError,
  request: Request,
  { role }: Caller,
): Promise<RestError> {
  const isDenied = fields.code === '42501' && (fields.hint ?? undefined) === undefined
  const hint = isDenied ? await session.hintOf({ request, role, message: fields.message }) : fields.hint
  return new RestError({ ...fields, hint })
}

const isUnknownTimezone = ({ prefer }: ApiRequest, error: unknown): boolean =>
  prefer.timezone !== undefined &&
  fieldOf(error, 'code') === '22023' &&
  /"TimeZone"/.test(textOf(error, 'message') ?? '')

/** Only PostgreSQL knows which time zones there are. */
function withoutTimezone({ prefer }: ApiRequest): ApiRequest['prefer'] {
  const { timezone, ...appliedPreferences } = prefer
  return { ...appliedPreferences, timezone: undefined, unknown: [...prefer.unknown, `timezone=${timezone}`] }
}

/** A planned request, with its statement. */
interface Task {
  readonly kind: Done['kind']
  readonly statement: Fragment
  readonly media: MediaPlan
  readonly read: ReadPlan
  readonly routine: Routine | undefined
  readonly isReadOnly: boolean
  readonly hasConflictTarget: boolean
}

/** Others than the default. */
const ISOLATIONS = ['repeatable read', 'serializable'] as const

class Answer {
  readonly #cache: SchemaCache
  readonly #session: RestSession
  readonly #request: ApiRequest
  readonly #caller: Caller

  constructor(cache: SchemaCache, session: RestSession, request: ApiRequest, caller: Caller) {
    this.#cache = cache
    this.#session = session
    this.#request = request
    this.#caller = caller
  }

  async respond(): Promise<Response> {
    const { action } = this.#request
    if (action.kind === 'options') return this.#options(action.of)
    const task =
      action.kind === 'call'
        ? this.#call(action.function)
        : action.kind === 'read'
          ? this.#read()
          : this.#write()
    this.#refuseUnknownPreferences()
    return task.media.explain ? this.#explain(task) : this.#run(task)
  }

  #refuseUnknownPreferences(): void {
    const { prefer } = this.#request
    if (prefer.handling !== 'strict' || prefer.unknown.length === 0) return
    throw new RestError({
      status: 400,
      code: 'PGRST122',
      message: 'Invalid preferences given with handling=strict',
      details: `Invalid preferences: ${prefer.unknown.join(', ')}`,
    })
  }

  #table(name: string): Table {
    const { schema } = this.#request
    const tableInfo = this.#cache.table({ schema, name })
    if (tableInfo) return tableInfo
    const near = likeliest(
      name,
      this.#cache.tables(schema).map(table => table.name),
      0.75,
    )
    throw new RestError({
      status: 404,
      code: 'PGRST205',
      message: `Could not find the table '${schema}.${name}' in the schema cache`,
      hint: near === undefined ? undefined : `Perhaps you meant the table '${schema}.${near}'`,
    })
  }

  get #count(): CountPlan {
    const { count } = this.#request.prefer
    const { maxRows } = this.#cache.settings
    return {
      isCounted: count === 'exact' || count === 'estimated',
      maxRows: count === 'estimated' && maxRows !== undefined ? maxRows + 1 : undefined,
    }
  }

  #read(): Task {
    const { action, query } = this.#request
    if (action.kind !== 'read') throw new Error('Not a request to read.')
    const table = this.#table(action.table)
    const resource = readResource(query)
    const read = planRead(this.#cache, this.#ranged(resource), {
      table,
      isResult: false,
      maxRows: this.#cache.settings.maxRows,
    })
    const media = this.#media(table, resource, !action.isHead)
    return {
      kind: 'read',
      media,
      read,
      statement: readStatement(read, media, this.#count),
      routine: undefined,
      isReadOnly: true,
      hasConflictTarget: false,
    }
  }

  #write(): Task {
    const { action, query, prefer } = this.#request
    if (!('table' in action) || action.kind === 'read') throw new Error('Not a request to write.')
    const table = this.#table(action.table)
    const resource = readResource(onlyEmbedded(query))
    const read = planRead(this.#cache, resource, { table, isResult: true, maxRows: undefined })
    const plan = planMutation(this.#cache, action.kind, table, this.#request, read)
    const media = this.#media(table, resource, prefer.return === 'representation')
    const locates = action.kind === 'insert' && prefer.return === 'headers-only'
    return {
      kind: action.kind,
      media,
      read,
      statement: mutationStatement(plan, read, media, locates),
      routine: undefined,
      isReadOnly: false,
      hasConflictTarget: table.primaryKey.length > 0 || query.onConflict !== undefined,
    }
  }

  #call(name: string): Task {
    const { action, query, schema, prefer } = this.#request
    if (action.kind !== 'call') throw new Error('Not a call.')
    const routine = chooseFunction(this.#cache, { schema, name }, this.#request)
    const { type, isComposite, isSet } = routine.returns
    const table: Name = { schema, name: isComposite ? type.name : routine.name }
    const resource = readResource(query)
    const read = planRead(this.#cache, this.#ranged(resource), {
      table,
      isResult: true,
      maxRows: this.#cache.settings.maxRows,
    })
    // Without a body, PostgreSQL would not call the function.
    const media = this.#media(table, resource, true)
    if (prefer.maxAffected !== undefined && prefer.handling === 'strict' && !isSet)
      throw new RestError({
        status: 400,
        code: 'PGRST128',
        message:
          'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
      })
    return {
      kind: 'call',
      media,
      read,
      statement: callStatement(planCall(routine, this.#request, read), read, media, this.#count),
      routine,
      isReadOnly: action.via !== 'POST' || routine.volatility !== 'volatile',
      hasConflictTarget: false,
    }
  }

  /** The resource with the range of the whole request, which the header `Range` may have narrowed. */
  #ranged(resource: Resource): Resource {
    return { ...resource, range: this.#request.range }
  }

  #media(table: Name, { columns, embeds }: Resource, hasBody: boolean): MediaPlan {
    const [firstColumn, ...moreColumns] = columns
    const isAll =
      firstColumn === undefined || (firstColumn.field.name === '*' && firstColumn.aggregate === undefined)
    return planMedia(this.#cache, this.#request, {
      table,
      hasBody,
      isWhole: isAll && moreColumns.length === 0 && embeds.length === 0,
    })
  }

  #statements(task: Task): readonly SeriesStatement[] {
    const { preRequest } = this.#cache.settings
    return [
      settingsStatement(this.#cache, this.#request, this.#caller, task),
      ...(preRequest ? [preRequestStatement(preRequest)] : []),
      task.statement,
    ].map(statementOf)
  }

  get #isRolledBack(): boolean {
    const { tx } = this.#request.prefer
    return (tx ?? this.#cache.settings.txEnd).startsWith('rollback')
  }

  async #run(task: Task): Promise<Response> {
    const keeps = !this.#isRolledBack
    let refusal: RestError | undefined
    const [row] = await this.#session.run<ResultRow>(
      this.#statements(task),
      this.#mayRefuse(task)
        ? ([first]) => {
            refusal = first && this.#refusalOf(task, first)
            return keeps && refusal === undefined
          }
        : keeps,
      this.#isolationOf(task),
    )
    if (refusal) throw refusal
    if (!row) throw new Error('The statement of the request returned nothing.')
    return respond({
      request: this.#request,
      media: task.media,
      kind: task.kind,
      row,
      total: await this.#totalOf(task, row),
      isVoid: task.routine !== undefined && isVoid(task.routine),
      hasConflictTarget: task.hasConflictTarget,
    })
  }

  /** PostgreSQL accepts it only before the first statement. */
  #isolationOf({ routine }: Task): (typeof ISOLATIONS)[number] | undefined {
    const { default_transaction_isolation: ofRole } = this.#cache.roleSettings(this.#caller.role)
    const setting = routine?.isolation ?? ofRole
    return ISOLATIONS.find(one => one === setting?.toLowerCase())
  }

  /** Whether what was done may be undone, by the number of rows. */
  #mayRefuse({ media, kind }: Task): boolean {
    const { maxAffected, handling } = this.#request.prefer
    return media.isSingular || kind === 'upsert' || (maxAffected !== undefined && handling === 'strict')
  }

  #refusalOf({ media, kind }: Task, row: ResultRow): RestError | undefined {
    const page = Number(row.page)
    const { maxAffected, handling } = this.#request.prefer
    if (kind === 'upsert' && page !== 1)
      return new RestError({
        status: 400,
        code: 'PGRST115',
        message: 'Payload values do not match URL in primary key column(s)',
      })
    if (media.isSingular && kind !== 'upsert' && page !== 1)
      return new RestError({
        status: 406,
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        details: `The result contains ${page} rows`,
      })
    const isLimited = kind === 'update' || kind === 'delete' || kind === 'call'
    if (isLimited && handling === 'strict' && maxAffected !== undefined && page > maxAffected)
      return new RestError({
        status: 400,
        code: 'PGRST124',
        message: 'Query result exceeds max-affected preference constraint',
        details: `The query affects ${page} rows`,
      })
    return undefined
  }

  async #totalOf(task: Task, row: ResultRow): Promise<number | undefined> {
    const { count } = this.#request.prefer
    const counted = row.total === null ? undefined : Number(row.total)
    const { maxRows } = this.#cache.settings
    if (task.kind === 'read' && count === 'planned') return this.#estimate(task)
    if (task.kind === 'read' && count === 'estimated' && maxRows !== undefined && (counted ?? 0) > maxRows)
      return Math.max(counted ?? 0, await this.#estimate(task))
    return counted
  }

  async #estimate(task: Task): Promise<number> {
    const statement = statementOf(estimateStatement(task.read))
    const [settings] = this.#statements(task)
    const [row] = await this.#session.run<Record<string, string>>(
      settings ? [settings, statement] : [statement],
      true,
    )
    const plan = JSON.parse(row?.['QUERY PLAN'] ?? '[]') as readonly [
      { readonly Plan: { readonly 'Plan Rows': number } },
    ]
    return plan[0].Plan['Plan Rows']
  }

  async #explain(task: Task): Promise<Response> {
    const rows = await this.#session.run<Record<string, string>>(this.#statements(task), !this.#isRolledBack)
    const text = rows.map(row => row['QUERY PLAN'] ?? '').join('\n')
    return new Response(`${text}\n`, { headers: { 'content-type': task.media.contentType } })
  }

  #options(of: 'root' | { readonly table: string } | { readonly function: string }): Response {
    const allowed = this.#allowed(of)
    return new Response(null, {
      status: 200,
      headers: { allow: allowed.join(','), 'access-control-allow-origin': '*' },
    })
  }

  #allowed(of: 'root' | { readonly table: string } | { readonly function: string }): readonly string[] {
    const reads = ['OPTIONS', 'GET', 'HEAD']
    if (of === 'root') return reads
    if ('function' in of) {
      const routine = chooseFunction(
        this.#cache,
        { schema: this.#request.schema, name: of.function },
        this.#request,
      )
      return routine.volatility === 'volatile' ? ['OPTIONS', 'POST'] : [...reads, 'POST']
    }
    const { isInsertable, isUpdatable, isDeletable, primaryKey } = this.#table(of.table)
    return [
      ...reads,
      ...(isInsertable ? ['POST'] : []),
      ...(isInsertable && isUpdatable && primaryKey.length > 0 ? ['PUT'] : []),
      ...(isUpdatable ? ['PATCH'] : []),
      ...(isDeletable ? ['DELETE'] : []),
    ]
  }
}

/** The filters and ranges of a mutation's own rows belong to what it writes. */
function onlyEmbedded({ select, filters, logic, order }: Terms): Terms {
  const inside = ({ path }: { readonly path: readonly string[] }) => path.length > 0
  return {
    select,
    order,
    filters: filters.filter(inside),
    logic: logic.filter(inside),
    ranges: [],
  }
}
