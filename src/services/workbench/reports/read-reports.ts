// Reads groups and reports with the rights of the signed-in user.
import { array, parse } from 'valibot'
import type { AnyDataClient } from '../rest/index.ts'
import { AGES, type GroupFilter, idColumn, timeBefore } from './filter.ts'
import {
  type DayCount,
  groupSchema,
  listedSchema,
  type Report,
  type ReportGroup,
  reportSchema,
} from '../../reports/rows.ts'
import { mentions } from '../../reports/words.ts'
import {
  COUNTS_TABLE,
  GROUPS_TABLE,
  MEMBERS_TABLE,
  REPORTS_BUCKET,
  REPORTS_TABLE,
} from '../../reports/tables.ts'

/** What the signed-in account may do with reports; `noTables`: the project has not applied the migration. */
export type ReportsAccess = 'member' | 'notMember' | 'noTables'

const NO_TABLE: ReadonlySet<string> = new Set(['PGRST205', '42P01'])

/** Members see the list of members, others an empty one. Rejects with the error of the backend. */
export async function readAccess(database: AnyDataClient): Promise<ReportsAccess> {
  const { data, error } = await database.from(MEMBERS_TABLE).select('user_id').limit(1)
  if (error === null) return data.length > 0 ? 'member' : 'notMember'
  if (NO_TABLE.has(error.code)) return 'noTables'
  if (error.code === '42501') return 'notMember'
  throw error
}

/** Number of open groups; 0 for accounts that are no members. Rejects with the error of the backend. */
export async function countOpenGroups(database: AnyDataClient): Promise<number> {
  const { count, error } = await database
    .from(GROUPS_TABLE)
    .select('fingerprint', { count: 'exact', head: true })
    .eq('status', 'open')
  if (error !== null) throw error
  return count ?? 0
}

interface Answer {
  readonly data: readonly unknown[] | null
  readonly error: (Error & { readonly code: string }) | null
  readonly count: number | null
}

/** Reads rows by their places: a server may return fewer at once, so a short response is not the last one. */
async function readRange(
  read: (from: number, to: number) => PromiseLike<Answer>,
  first: number,
  limit: number,
): Promise<readonly unknown[]> {
  const rows: unknown[] = []
  for (;;) {
    const { data, error, count } = await read(first + rows.length, first + limit - 1)
    // There are no rows from there on.
    if (error?.code === 'PGRST103') return rows
    if (error !== null) throw error
    rows.push(...(data ?? []))
    const isEnd = data?.length === 0 || first + rows.length >= (count ?? 0)
    if (isEnd || rows.length >= limit) return rows
  }
}

/** Groups per page. */
const PAGE = 100
/** Days in the chart of a group. */
export const CHART_DAYS = 14

export interface ListedGroup extends ReportGroup {
  /** Reports on each of the last days, the oldest first, up to the present day in UTC. */
  readonly perDay: readonly number[]
}

export interface GroupPage {
  readonly groups: readonly ListedGroup[]
  readonly hasMore: boolean
}

/** Reads one page of groups with their counts, the last seen first. */
export async function readGroups(
  database: AnyDataClient,
  { status, cause, since, search, page }: GroupFilter,
  now: Date,
): Promise<GroupPage> {
  const first = (page - 1) * PAGE
  const read = (from: number, to: number): PromiseLike<Answer> => {
    let query = database
      .from(GROUPS_TABLE)
      .select(`*,${COUNTS_TABLE}(day,reports)`, { count: 'exact' })
      .gte(`${COUNTS_TABLE}.day`, dayOf(timeBefore(now, CHART_DAYS - 1)))
      .order('last_seen', { ascending: false })
      .order('fingerprint')
      .range(from, to)
    if (status !== undefined) query = query.eq('status', status)
    if (cause !== undefined) query = query.eq('cause', cause)
    if (since !== undefined) query = query.gte('last_seen', timeBefore(now, AGES[since]))
    if (search !== '') query = query.or(mentions(search))
    return query
  }
  // One more shows whether there is another page.
  const rows = parse(array(listedSchema), await readRange(read, first, PAGE + 1))
  const groups = rows
    .slice(0, PAGE)
    .map(({ [COUNTS_TABLE]: counts, ...group }) => ({ ...group, perDay: daily(counts, now) }))
  return { groups, hasMore: rows.length > PAGE }
}

const dayOf = (time: string): string => time.slice(0, 10)

/** Adds up the versions of each day. */
export function daily(counts: readonly DayCount[], now: Date): readonly number[] {
  const byDay = new Map<string, number>()
  for (const { day, reports } of counts) byDay.set(day, (byDay.get(day) ?? 0) + reports)
  return Array.from(
    { length: CHART_DAYS },
    (_, at) => byDay.get(dayOf(timeBefore(now, CHART_DAYS - 1 - at))) ?? 0,
  )
}

/** Undefined if there is no such group. */
export async function readGroup(
  database: AnyDataClient,
  fingerprint: string,
): Promise<ReportGroup | undefined> {
  const { data, error } = await database.from(GROUPS_TABLE).select('*').eq('fingerprint', fingerprint)
  if (error !== null) throw error
  return parse(array(groupSchema), data)[0]
}

export interface ReportPage {
  readonly reports: readonly Report[]
  readonly hasMore: boolean
}

/** Reads the newest reports of a group, at most `most`. */
export async function readReports(
  database: AnyDataClient,
  fingerprint: string,
  limit: number,
): Promise<ReportPage> {
  const read = (from: number, to: number): PromiseLike<Answer> =>
    database
      .from(REPORTS_TABLE)
      .select('*', { count: 'exact' })
      .eq('fingerprint', fingerprint)
      .order('received_at', { ascending: false })
      .order('id')
      .range(from, to)
  const reports = parse(array(reportSchema), await readRange(read, 0, limit + 1))
  return { reports: reports.slice(0, limit), hasMore: reports.length > limit }
}

/**
 * Reads a report by its id, or the newest one by the trace id of another tool. Undefined if there is none, or if it
 * was removed.
 */
export async function readReport(database: AnyDataClient, id: string): Promise<Report | undefined> {
  const column = idColumn(id)
  if (column === undefined) return undefined
  const { data, error } = await database
    .from(REPORTS_TABLE)
    .select('*')
    .eq(column, id)
    .order('received_at', { ascending: false })
    .limit(1)
  if (error !== null) throw error
  return parse(array(reportSchema), data)[0]
}

/** A file of a report that has not arrived. */
export class MissingFile extends Error {}

/**
 * Downloads a file of a report.
 * @throws MissingFile when it is not there; the error of the backend otherwise
 */
export async function downloadFile(
  database: AnyDataClient,
  { path }: Pick<Report, 'path'>,
  name: string,
): Promise<Blob> {
  const { data, error } = await database.storage.from(REPORTS_BUCKET).download(`${path}/${name}`)
  if (error === null) return data
  if (!isNotFound(error)) throw error
  const what = name === 'trace.gz' ? 'recording' : 'picture'
  throw new MissingFile(
    `The ${what} of this report has not arrived. It is sent again when the user opens the app, for seven days.`,
  )
}

/**
 * By the code of the error: the status is 400 for every refusal, and 404 for a missing bucket, too. Older storage
 * servers send no code.
 */
function isNotFound(error: Error): boolean {
  const { code, statusCode, message } = error as Error & {
    readonly code?: unknown
    readonly statusCode?: unknown
  }
  if (code !== undefined) return code === 'NoSuchKey'
  return statusCode === '404' && message === 'Object not found'
}
