// The reports of the demo, as `npm run demo-reports` recorded them, and what adds them to its database.
import type { BackendOptions } from '../../../../backend/index.ts'
import type { Report } from '../../../services/reports/rows.ts'
import { MEMBERS_TABLE, REPORTS_BUCKET, REPORTS_TABLE } from '../../../services/reports/tables.ts'
import { sqlString } from '../../../trace/index.ts'
import { REPORTS_DEFAULTS, reportsSchema } from '../../reports/schema.ts'
import recorded from './reports.json' with { type: 'json' }

/** A report with its recording, in Base64. */
export type DemoReport = Pick<
  Report,
  'id' | 'cause' | 'fingerprint' | 'title' | 'app_version' | 'system' | 'note' | 'path' | 'trace_bytes'
> & { readonly trace: string }

export const DEMO_REPORTS = recorded as readonly DemoReport[]

/** Who reads them. */
const MEMBER = 'skipper@harbour.test'

/** The tables of reports, their first member, and the reports with their recordings. */
export function demoReports(): NonNullable<BackendOptions['demoContent']> {
  return {
    sql: [
      reportsSchema(REPORTS_DEFAULTS),
      `insert into public.${MEMBERS_TABLE} select id from auth.users where email = ${sqlString(MEMBER)};`,
      ...DEMO_REPORTS.toReversed().map(insertOf),
    ],
    files: DEMO_REPORTS.map(({ path, trace }) => ({
      bucket: REPORTS_BUCKET,
      name: `${path}/trace.gz`,
      contentType: 'application/gzip',
      bytes: Buffer.from(trace, 'base64'),
    })),
  }
}

function insertOf({ trace: _trace, trace_bytes: bytes, ...texts }: DemoReport): string {
  const columns = [...Object.keys(texts), 'trace_bytes', 'happened_at'].join(', ')
  const values = [...Object.values(texts).map(sqlString), String(bytes), 'now()'].join(', ')
  return `insert into public.${REPORTS_TABLE} (${columns}) values (${values});`
}
