// `chartroom reports get`: downloads the recording of a report.
import type { Report } from '../../services/reports/rows.ts'
import { defineCommand, type ExitCode, UsageError } from '../command.ts'
import { print } from '../print.ts'
import { checkNew, WRITE_FLAGS, writeNew } from '../write-file.ts'
import { HOST_FLAGS, ReportsHost } from './host.ts'

export const getCommand = defineCommand({
  usage: 'reports get ID [flags]',
  text: `Downloads the recording of a report, for the console or any other command. ID is that of the report, or a trace
id of OpenTelemetry or Sentry, of which the newest report is meant.

Exit code: 0 written, 2 failed.`,
  flags: {
    ...HOST_FLAGS,
    out: { type: 'string', value: 'FILE', about: 'Output file; default: report-ID.trace.gz' },
    ...WRITE_FLAGS,
  },
  takes: [1, 1, 'report id'],
  async run({ values: { url, out, force }, names: [id = ''] }): Promise<ExitCode> {
    const host = new ReportsHost(url)
    const report = await needReport(host, id)
    const file = out ?? `report-${report.id.slice(0, 8)}.trace.gz`
    await checkNew(file, force)
    await writeNew(file, await host.trace(report), force)
    print(`${file}\n`)
    return 0
  },
})

/**
 * Returns the report with this id, or the newest with this trace id of OpenTelemetry or Sentry.
 * @throws UsageError for an id that is none; Error if there is no such report
 */
export async function needReport(host: ReportsHost, id: string): Promise<Report> {
  const isTrace = /^[0-9a-f]{32}$/.test(id)
  if (!isTrace && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw new UsageError(
      `"${id}" is no id of a report, and no trace id. \`chartroom reports list FINGERPRINT\` shows the ids.`,
    )
  const [report] = await host.reports(
    isTrace ? `trace_id=eq.${id}&order=received_at.desc,id` : `id=eq.${id}&order=id`,
    1,
  )
  if (!report) throw new Error(`There is no report ${isTrace ? 'with the trace id ' : ''}${id}.`)
  return report
}
