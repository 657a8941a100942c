// The project that the reports are in, read and written with its secret key by REST and storage.
import { array, type GenericSchema, object, safeParse, string } from 'valibot'
import { groupSchema, type Report, type ReportGroup, reportSchema } from '../../services/reports/rows.ts'
import { COUNTS_TABLE, GROUPS_TABLE, REPORTS_BUCKET, REPORTS_TABLE } from '../../services/reports/tables.ts'
import { reasonOf, UsageError } from '../command.ts'

/** Names of the environment variables: a key on a command line is visible to other users of the machine. */
const KEYS = ['SUPABASE_SECRET_KEY', 'SUPABASE_SERVICE_ROLE_KEY'] as const

export const HOST_FLAGS = {
  url: {
    type: 'string',
    value: 'URL',
    about: `URL of the project; default: SUPABASE_URL. The environment variable ${KEYS[0]} has its secret key`,
  },
} as const

const IDENTIFIED = object({ id: string() })
const VERSIONED = object({ app_version: string() })

/** Entries of a folder per request. */
const PAGE = 1000

/** The tables and the bucket of a project. */
export class ReportsHost {
  readonly #url: string
  readonly #key: string

  /** @throws UsageError if the URL or the key is missing */
  constructor(url = process.env['SUPABASE_URL']) {
    const key = KEYS.map(name => process.env[name]).find(Boolean)
    if (url === undefined)
      throw new UsageError('--url is missing. Name the URL of the project with the reports.')
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new UsageError(`--url must be an http or https URL, not "${url}".`)
    if (key === undefined)
      throw new UsageError(`The secret key is missing. Set the environment variable ${KEYS[0]}.`)
    this.#url = url.endsWith('/') ? url.slice(0, -1) : url
    this.#key = key
  }

  /** Rows that match a query of REST. @param query e.g. `status=eq.open&order=last_seen.desc` */
  groups = (query: string, limit?: number): Promise<ReportGroup[]> =>
    this.#rows(`${GROUPS_TABLE}?${query}`, groupSchema, limit)

  reports = (query: string, limit?: number): Promise<Report[]> =>
    this.#rows(`${REPORTS_TABLE}?${query}`, reportSchema, limit)

  /** Those of the ids that have a report. */
  async existing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#rows(`${REPORTS_TABLE}?select=id&id=in.(${ids.join(',')})&order=id`, IDENTIFIED)
    return new Set(rows.map(({ id }) => id))
  }

  /** Versions of the app that reported a failure. */
  async versions(fingerprint: string): Promise<readonly string[]> {
    const query = `select=app_version&fingerprint=eq.${encodeURIComponent(fingerprint)}&order=day,app_version`
    const rows = await this.#rows(`${COUNTS_TABLE}?${query}`, VERSIONED)
    return [...new Set(rows.map(({ app_version: version }) => version))]
  }

  /** The recording of a report. @throws Error if it has not arrived */
  async trace({ id, path }: Pick<Report, 'id' | 'path'>): Promise<Uint8Array> {
    const response = await this.#send(`/storage/v1/object/authenticated/${REPORTS_BUCKET}/${path}/trace.gz`)
    if (response.ok) return new Uint8Array(await response.arrayBuffer())
    const { message } = await refusalOf(response)
    throw new Error(`The recording of report ${id} is not there (${message}). It may still be on its way.`)
  }

  /** Enters the result of a run of a report. */
  async enter(id: string, result: Partial<Report>): Promise<void> {
    await this.#rest(`${REPORTS_TABLE}?id=eq.${id}`, { method: 'PATCH', body: JSON.stringify(result) })
  }

  /**
   * Sets an open group to fixed, unless it was reported or changed since it was read.
   * @returns whether it was set
   */
  async close({ fingerprint, last_seen }: ReportGroup, version: string): Promise<boolean> {
    const query = new URLSearchParams({
      fingerprint: `eq.${fingerprint}`,
      status: 'eq.open',
      last_seen: `eq.${last_seen}`,
    })
    const rows = await this.#changed(`${GROUPS_TABLE}?${query.toString()}`, {
      status: 'fixed',
      fixed_in: version,
    })
    return rows.length > 0
  }

  /** Makes partitions and removes rows that are older than the retention. */
  async maintain(): Promise<void> {
    await this.#rest('rpc/chartroom_reports_maintain', { method: 'POST', body: '{}' })
  }

  /** Names of the entries of a folder in the bucket. */
  async files(folder: string): Promise<string[]> {
    const names: string[] = []
    for (;;) {
      const page = {
        prefix: folder,
        limit: PAGE,
        offset: names.length,
        sortBy: { column: 'name', order: 'asc' },
      }
      const response = await this.#send(`/storage/v1/object/list/${REPORTS_BUCKET}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(page),
      })
      if (!response.ok) throw await this.#failure(response)
      const buckets = (await response.json()) as { readonly name: string }[]
      // A server may return fewer than requested although there are more.
      if (buckets.length === 0) return names
      names.push(...buckets.map(({ name }) => name))
    }
  }

  async removeFiles(paths: readonly string[]): Promise<void> {
    const response = await this.#send(`/storage/v1/object/${REPORTS_BUCKET}`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prefixes: paths }),
    })
    if (!response.ok) throw await this.#failure(response)
  }

  /**
   * Rows of a sorted query, at most `most`. A project may return fewer at once, so that a short page is not the end.
   * @throws Error if the pages have fewer rows than the server counted
   */
  async #rows<Row>(path: string, schema: GenericSchema<unknown, Row>, most = Infinity): Promise<Row[]> {
    const rows: Row[] = []
    for (;;) {
      const limit = Math.min(PAGE, most - rows.length)
      const response = await this.#rest(`${path}&limit=${limit}&offset=${rows.length}`, {
        headers: { prefer: 'count=exact' },
      })
      const total = Number(response.headers.get('content-range')?.split('/')[1] ?? Number.NaN)
      const parsed = await this.#checked(response, schema)
      rows.push(...parsed)
      if (rows.length >= most || rows.length >= total) return rows
      if (parsed.length > 0) continue
      if (Number.isNaN(total)) return rows
      throw new Error(`${this.#url} returned ${rows.length} of ${total} rows. Run the command again.`)
    }
  }

  async #checked<Row>(response: Response, schema: GenericSchema<unknown, Row>): Promise<Row[]> {
    const { success, output } = safeParse(array(schema), await response.json())
    if (success) return output
    throw new Error(`${this.#url} has tables of another version of Chartroom: their rows have other columns.`)
  }

  async #changed(path: string, change: Partial<ReportGroup>): Promise<ReportGroup[]> {
    const headers = { prefer: 'return=representation' }
    const init = { method: 'PATCH', headers, body: JSON.stringify(change) }
    return this.#checked(await this.#rest(path, init), groupSchema)
  }

  async #rest(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (init.body) headers.set('content-type', 'application/json')
    if (init.body && !headers.has('prefer')) headers.set('prefer', 'return=minimal')
    const response = await this.#send(`/rest/v1/${path}`, { ...init, headers })
    if (response.ok) return response
    throw await this.#failure(response)
  }

  async #failure(response: Response): Promise<Error> {
    const { code, message } = await refusalOf(response)
    if (code === 'PGRST205' || code === '42P01' || code === 'PGRST202')
      return new Error(
        `${this.#url} has no tables for reports. Run \`chartroom reports init\`, then apply the migration.`,
      )
    return new Error(`${this.#url} answered ${response.status}: ${message}`)
  }

  async #send(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    const ownHeaders = new Headers(headers)
    ownHeaders.set('apikey', this.#key)
    // Keys of the new format are no JWT, and are accepted as `apikey` only.
    if (!this.#key.startsWith('sb_')) ownHeaders.set('authorization', `Bearer ${this.#key}`)
    try {
      return await fetch(this.#url + path, {
        ...init,
        headers: ownHeaders,
        signal: AbortSignal.timeout(60_000),
      })
    } catch (error) {
      throw new Error(`${this.#url} can't be reached: ${causeOf(error)}.`, { cause: error })
    }
  }
}

const causeOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : reasonOf(error)

async function refusalOf(response: Response) {
  const body: unknown = await response.json().catch(() => undefined)
  const { code, message } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : response.statusText,
  }
}
