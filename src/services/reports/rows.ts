// The rows of the tables of reports, as `chartroom reports init` creates them.
import { array, type InferOutput, nullable, nullish, number, object, picklist, string } from 'valibot'
import { COUNTS_TABLE } from './tables.ts'

export const STATUSES = ['open', 'fixed', 'ignored'] as const
export const CAUSES = ['user', 'error', 'signedOut', 'invariant'] as const
const OUTCOMES = ['fails', 'passes', 'same', 'differs', 'unusable'] as const

/** Tables of an earlier version have no `last_note`. */
const groupFields = {
  fingerprint: string(),
  title: string(),
  cause: picklist(CAUSES),
  status: picklist(STATUSES),
  fixed_in: nullable(string()),
  reopened_at: nullable(string()),
  notes: string(),
  first_seen: string(),
  last_seen: string(),
  last_version: string(),
  last_note: nullish(string(), ''),
  reports: number(),
  users: number(),
}

export const groupSchema = object(groupFields)

/** Reports with the same fingerprint: one failure. */
export type ReportGroup = InferOutput<typeof groupSchema>

const countSchema = object({ day: string(), reports: number() })

/** Number of reports in one version of the app on one day, in UTC. */
export type DayCount = InferOutput<typeof countSchema>

export const listedSchema = object({ ...groupFields, [COUNTS_TABLE]: array(countSchema) })

/** Tables of an earlier version have no `trace_id`. */
export const reportSchema = object({
  id: string(),
  received_at: string(),
  happened_at: string(),
  cause: picklist(CAUSES),
  fingerprint: string(),
  title: string(),
  app_version: string(),
  system: string(),
  user_id: nullable(string()),
  trace_id: nullish(string()),
  note: string(),
  path: string(),
  trace_bytes: number(),
  picture: nullable(string()),
  driven_at: nullable(string()),
  driven_version: nullable(string()),
  driven_outcome: nullable(picklist(OUTCOMES)),
  driven_summary: nullable(string()),
})

/** One report; its recording is `trace.gz` in the folder `path` of the bucket. */
export type Report = InferOutput<typeof reportSchema>
