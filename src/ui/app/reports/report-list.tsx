// The reports of a group, one of them with its details.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { headline, type Report } from '../../../services/workbench/reports/index.ts'
import { formatDateTime, formatSize } from '../../../services/workbench/text/index.ts'
import { useOpenReport } from './open-report.ts'
import { Outcome, ReportDetails } from './report-details.tsx'
import styles from './reports.module.css'

export function ReportList({ reports }: { readonly reports: readonly Report[] }) {
  const { report: chosen, step } = useSearch({ strict: false })
  const navigate = useNavigate()
  const opening = useOpenReport()
  const { open } = opening
  const linked = useRef(step === undefined ? undefined : chosen)
  // A link to a moment opens it once; later the console itself keeps the step in the URL.
  useEffect(() => {
    const report = reportOf(reports, linked.current)
    linked.current = undefined
    if (report) void open(report, { at: String(step) })
  }, [reports, open, step])
  const shown = (reportOf(reports, chosen) ?? reports[0])?.id
  const choose = (id: string) =>
    void navigate({
      to: '/reports',
      search: (all: object) => ({ ...all, report: id, step: undefined }) as never,
      replace: true,
    })
  return (
    <ul className={styles.reports} aria-label="Reports">
      {reports.map(report => (
        <li key={report.id} className={styles.report}>
          <button
            type="button"
            className={styles.reportHead}
            aria-expanded={report.id === shown}
            onClick={() => choose(report.id)}
          >
            <span>{formatDateTime(report.received_at)}</span>
            <span>{report.app_version || 'unknown version'}</span>
            <span>{formatSize(report.trace_bytes)}</span>
            {report.driven_outcome === null ? null : <Outcome outcome={report.driven_outcome} />}
            {report.note === '' ? null : <span className={styles.note}>{headline(report).title}</span>}
          </button>
          {report.id === shown ? <ReportDetails report={report} opening={opening} /> : null}
        </li>
      ))}
    </ul>
  )
}

/** By the id of a link: its own, or the trace id of another tool. */
const reportOf = (reports: readonly Report[], named: string | undefined) =>
  named === undefined ? undefined : reports.find(({ id, trace_id: trace }) => id === named || trace === named)
