// The commands and statements that the page of reports offers to copy.
import { commandLine, sqlString } from '../../../trace/index.ts'
import type { Report } from '../../reports/rows.ts'

/** Shell commands that add the tables to a project. */
export const INIT_COMMANDS = `${commandLine('reports', 'init')}\nnpx supabase db push`

/** SQL that makes an account a member. */
export const memberSql = (email: string): string =>
  `insert into public.chartroom_report_members select id from auth.users where email = ${sqlString(email)};`

/** A shell command that writes a failing test from a report. */
export const testCommand = ({ id }: Pick<Report, 'id'>): string =>
  commandLine('reports', 'test', id, '--out', `tests/report-${id.slice(0, 8)}.test.ts`)

/** Name of the file of a recording. */
export const traceName = ({ id }: Pick<Report, 'id'>): string => `report-${id.slice(0, 8)}.trace.gz`
