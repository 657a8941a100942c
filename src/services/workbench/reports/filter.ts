// Which groups of reports are listed: read from the URL, and what it means for the request.
import { CAUSES, STATUSES } from '../../reports/rows.ts'

export const AGES = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 } as const
type Age = keyof typeof AGES

/** A filter of groups; `undefined` does not restrict. */
export interface GroupFilter {
  readonly status: (typeof STATUSES)[number] | undefined
  readonly cause: (typeof CAUSES)[number] | undefined
  readonly since: Age | undefined
  /** Part of the title or of what a user wrote last, in any case. */
  readonly search: string
  /** From 1. */
  readonly page: number
}

/** As in the URL; without a status, open groups are listed. */
export interface FilterParams {
  readonly status?: string | undefined
  readonly cause?: string | undefined
  readonly since?: string | undefined
  readonly q?: string | undefined
  readonly page?: number | undefined
}

const oneOf = <Name extends string>(names: readonly Name[], text: string | undefined): Name | undefined =>
  names.find(name => name === text)

/** Reads the parameters of the URL; unknown values do not restrict, and an unknown status is `open`. */
export function readFilter({ status, cause, since, q = '', page = 1 }: FilterParams): GroupFilter {
  return {
    status: status === 'all' ? undefined : (oneOf(STATUSES, status) ?? 'open'),
    cause: oneOf(CAUSES, cause),
    since: oneOf(Object.keys(AGES) as Age[], since),
    search: q.trim(),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}

const DAY_MS = 86_400_000

/** The time this long before `now`, in ISO 8601. */
export const timeBefore = (now: Date, days: number): string =>
  new Date(now.getTime() - days * DAY_MS).toISOString()

/** Whether it is the id of a report: other values are not sent to the database. */
const isReportId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** Whether it is the trace id of another tool, as links from there contain it. */
const isTraceId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

/** The column in which a report has the id of a link; undefined for other text. */
export const idColumn = (text: string): 'id' | 'trace_id' | undefined =>
  isReportId(text) ? 'id' : isTraceId(text) ? 'trace_id' : undefined
