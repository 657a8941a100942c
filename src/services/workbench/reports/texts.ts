// The commands and statements that the page of reports offers to copy.
import { commandLine, sqlString } from '../../../trace/index.ts'
import { CLIENT_SYSTEM } from '../../client/index.ts'
import type { Examined } from '../../reports/judge.ts'
import type { Report } from '../../reports/rows.ts'

/** Shell commands that add the tables to a project. */
export const INIT_COMMANDS = `${commandLine('reports', 'init')}\nnpx supabase db push`

/** SQL that makes an account a member. */
export const memberSql = (email: string): string =>
  `insert into public.chartroom_report_members select id from auth.users where email = ${sqlString(email)};`

/** A command that writes a test, or why none can be made. Both are sentences for the user. */
type TestOffer =
  | { readonly kind: 'command'; readonly command: string; readonly about: string }
  | { readonly kind: 'none'; readonly why: string }

/** What the page offers for a report whose recording was examined. `url` is that of the project with the report. */
export function testOffer(
  report: Pick<Report, 'id' | 'system' | 'cause'>,
  { verdict: { outcome, summary }, noTest, damage }: Examined,
  url: string,
): TestOffer {
  const words = ['reports', 'test', report.id, '--url', url, '--out', testFile(report)]
  // The workbench has the machines of the client only.
  if (report.system !== CLIENT_SYSTEM && outcome === 'unusable')
    return {
      kind: 'command',
      command: commandLine(...words, '--machines', 'src/machines.ts'),
      about: 'Name the module with your own machines instead of src/machines.ts.',
    }
  if (damage !== undefined && report.cause !== 'error' && (noTest !== undefined || outcome === 'passes'))
    return { kind: 'none', why: 'What is left of the damaged recording ends before the failure.' }
  if (noTest !== undefined) return { kind: 'none', why: noTest }
  if (outcome === 'unusable')
    return { kind: 'none', why: `The recording can’t be replayed with this build: ${summary}.` }
  return {
    kind: 'command',
    command: commandLine(...words),
    about:
      outcome === 'fails'
        ? 'It writes a test that fails until the failure is fixed.'
        : 'With this build the failure does not occur, so that the test passes.',
  }
}

const testFile = ({ id }: Pick<Report, 'id'>): string => `tests/report-${id.slice(0, 8)}.test.ts`

/** Name of the file of a recording. */
export const traceName = ({ id }: Pick<Report, 'id'>): string => `report-${id.slice(0, 8)}.trace.gz`
