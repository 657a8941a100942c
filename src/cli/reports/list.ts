// `chartroom reports list`: failures by group, newest first, and the reports of one group.
import type { ReportGroup, Report } from '../../services/reports/rows.ts'
import { headline } from '../../services/reports/words.ts'
import { styleText } from 'node:util'
import { oneLine, jsonText } from '../../trace/index.ts'
import { defineCommand, type ExitCode, wholeNumber } from '../command.ts'
import { print } from '../print.ts'
import { GROUP_FLAGS, type GroupQuery, groupQuery } from './groups.ts'
import { HOST_FLAGS, ReportsHost } from './host.ts'

export const listCommand = defineCommand({
  usage: 'reports list [FINGERPRINT] [flags]',
  text: `Lists what users reported, grouped by failure, the last seen first; with a fingerprint, the reports of that
group.

Exit code: 0 listed, 2 failed.`,
  flags: {
    ...HOST_FLAGS,
    ...GROUP_FLAGS,
    limit: { type: 'string', value: 'N', about: 'Most lines; default: 50' },
    json: { type: 'boolean', about: 'Print one JSON object per line' },
  },
  takes: [0, 1, 'fingerprint'],
  async run({ values, names: [fingerprint] }): Promise<ExitCode> {
    const host = new ReportsHost(values.url)
    const limit = values.limit === undefined ? 50 : wholeNumber('--limit', values.limit, 1, 1000)
    const rows =
      fingerprint === undefined
        ? await host.groups(groupQuery(values as GroupQuery), limit)
        : await host.reports(
            `fingerprint=eq.${encodeURIComponent(fingerprint)}&order=received_at.desc,id`,
            limit,
          )
    if (values.json) for (const row of rows) print(`${jsonText(row)}\n`)
    else if (rows.length === 0) print('No reports.\n')
    else for (const row of rows) print(`${'id' in row ? reportLine(row) : groupLines(row)}\n`)
    return 0
  },
})

const COLORS = { open: 'red', fixed: 'green', ignored: 'gray' } as const

function groupLines(group: ReportGroup): string {
  const { status, fixed_in: fixedIn, reports, users, first_seen: first, last_seen: last } = group
  const word = fixedIn === null || status !== 'fixed' ? status : `fixed in ${oneLine(fixedIn)}`
  const counts = `${reports} ${reports === 1 ? 'report' : 'reports'}, ${users} identified ${users === 1 ? 'user' : 'users'}`
  const { title, because } = headline(group)
  return [
    `${styleText(COLORS[status], word.toUpperCase())}  ${oneLine(title)}`,
    ...(because === undefined ? [] : [`  ${oneLine(because)}`]),
    `  ${counts}; ${day(first)} to ${day(last)}; last in version ${oneLine(group.last_version || '?')}`,
    `  ${oneLine(group.fingerprint)}`,
  ].join('\n')
}

function reportLine({ id, received_at: at, app_version: version, note, driven_outcome: driven }: Report) {
  const result = driven === null ? '' : `  ${driven}`
  return `${id}  ${day(at)} ${at.slice(11, 16)}  ${oneLine(version || '?')}${result}  ${oneLine(note).slice(0, 80)}`.trimEnd()
}

const day = (time: string) => time.slice(0, 10)
