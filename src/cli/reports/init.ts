// `chartroom reports init`: writes the migration.
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { defineCommand, type ExitCode, wholeNumber } from '../command.ts'
import { print } from '../print.ts'
import { writeNew } from '../write-file.ts'
import { REPORTS_DEFAULTS, reportsSchema } from './schema.ts'

export const initCommand = defineCommand({
  usage: 'reports init [DIR] [flags]',
  text: `Writes a migration with the tables, policies, bucket and retention of reports to DIR/supabase/migrations
(default: this folder). Apply it like any other migration, e.g. with \`supabase db push\`.

Exit code: 0 written, 2 failed.`,
  flags: {
    days: {
      type: 'string',
      value: 'N',
      about: `Days until a report is removed; default: ${REPORTS_DEFAULTS.days}`,
    },
    'per-day': {
      type: 'string',
      value: 'N',
      about: `Reports accepted per day from all clients together; default: ${REPORTS_DEFAULTS.perDay}`,
    },
    'bytes-per-day': {
      type: 'string',
      value: 'N',
      about: `Bytes of files accepted per day from all clients together; default: ${REPORTS_DEFAULTS.bytesPerDay}`,
    },
    bytes: {
      type: 'string',
      value: 'N',
      about: `Largest recording in bytes; default: ${REPORTS_DEFAULTS.bytes}`,
    },
  },
  takes: [0, 1, 'folder'],
  async run({ values, names: [folder = '.'] }): Promise<ExitCode> {
    const number = (flag: string, text: string | undefined, usual: number, max: number) =>
      text === undefined ? usual : wholeNumber(flag, text, 1, max)
    const schema = reportsSchema({
      days: number('--days', values.days, REPORTS_DEFAULTS.days, 3650),
      perDay: number('--per-day', values['per-day'], REPORTS_DEFAULTS.perDay, 100_000_000),
      bytesPerDay: number(
        '--bytes-per-day',
        values['bytes-per-day'],
        REPORTS_DEFAULTS.bytesPerDay,
        Number.MAX_SAFE_INTEGER,
      ),
      bytes: number('--bytes', values.bytes, REPORTS_DEFAULTS.bytes, 1_000_000_000),
    })
    const place = join(folder, 'supabase', 'migrations')
    await mkdir(place, { recursive: true })
    const migration = (await readdir(place)).find(name => name.endsWith(ENDING))
    if (migration !== undefined)
      throw new Error(`${join(place, migration)} exists: this project has the migration.`)
    const file = join(place, `${stamp(new Date())}${ENDING}`)
    await writeNew(file, schema, false)
    print(`${file}\n\nApply it, then add yourself as a member, who can read reports:\n\n  ${MEMBER}\n`)
    return 0
  },
})

const ENDING = '_chartroom_reports.sql'

const MEMBER =
  "insert into public.chartroom_report_members select id from auth.users where email = 'you@example.com';"

/** Name of a migration's time, as in `20261126093000`. */
const stamp = (date: Date) => date.toISOString().replace(/\D/g, '').slice(0, 14)
