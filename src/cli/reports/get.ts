// `chartroom reports get`: downloads the recording of a report.
import type { Report } from '../../services/reports/rows.ts'
import { defineCommand, type ExitCode, UsageError } from '../command.ts'
import { print } from '../print.ts'
import { checkNew, WRITE_FLAGS, writeNew } from '../write-file.ts'
import { HOST_FLAGS, ReportsHost } from './host.ts'

export const getCommand = defineCommand({
  usage: 'reports get ID [flags]',
  text: `Downloads the recording of a report, for the console or any other command.

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
    const file = out ?? `report-${id.slice(0, 8)}.trace.gz`
    await checkNew(file, force)
    await writeNew(file, await host.trace(report), force)
    print(`${file}\n`)
    return 0
  },
})

/** @throws UsageError for an id that is none; Error if there is no such report */
export async function needReport(host: ReportsHost, id: string): Promise<Report> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw new UsageError(`"${id}" is no id of a report. \`chartroom reports list FINGERPRINT\` shows them.`)
  const [report] = await host.reports(`id=eq.${id}&limit=1`)
  if (!report) throw new Error(`There is no report ${id}.`)
  return report
}
