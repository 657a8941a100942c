// The reports of a group: note, recording, picture, check and the command for a test.
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { Image, SquareTerminal } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { formatSize } from '../../../machines/index.ts'
import { downloadFile, type Report, testCommand } from '../../../services/workbench/reports/index.ts'
import { explainFailure } from '../../../services/workbench/rest/index.ts'
import { inertUrl } from '../../../services/workbench/text/index.ts'
import { RunJob } from '../../console/checks/job-runner.ts'
import { Button } from '../../widgets/button.tsx'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { formatDateTime } from '../../widgets/format.ts'
import { Chip } from '../../widgets/pill.tsx'
import { Notice } from '../shell/page.tsx'
import { usePageRequest } from '../use-page-request.ts'
import { reportUrl, useOpenReport } from './open-report.ts'
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
    if (report) void open(report, step)
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
            {report.note === '' ? null : <span className={styles.note}>{report.note}</span>}
          </button>
          {report.id === shown ? <Details report={report} opening={opening} /> : null}
        </li>
      ))}
    </ul>
  )
}

/** By the id of a link: its own, or the trace id of another tool. */
const reportOf = (reports: readonly Report[], named: string | undefined) =>
  named === undefined ? undefined : reports.find(({ id, trace_id: trace }) => id === named || trace === named)

const TONES = { fails: 'fail', passes: 'ok', same: 'neutral', differs: 'pending', unusable: 'stale' } as const

const Outcome = ({ outcome }: { readonly outcome: keyof typeof TONES }) => (
  <Chip tone={TONES[outcome]}>{outcome}</Chip>
)

interface DetailsProps {
  readonly report: Report
  readonly opening: ReturnType<typeof useOpenReport>
}

function Details({ report, opening }: DetailsProps) {
  const router = useRouter()
  const { step } = useSearch({ strict: false })
  const { id, note, trace_id: traceId, driven_at: drivenAt, driven_summary: summary } = report
  const file = opening.file(id)
  const command = testCommand(report)
  return (
    <div className={styles.details}>
      {note === '' ? null : <p className={styles.fullNote}>{note}</p>}
      {drivenAt === null ? null : (
        <p>
          Run with {report.driven_version ?? 'an unknown version'}: {summary}
        </p>
      )}
      <div className={styles.acts}>
        <Button
          size="s"
          variant="primary"
          icon={<SquareTerminal size={13} aria-hidden />}
          isPending={opening.pending === id}
          onPress={() => void opening.open(report)}
        >
          Open in console
        </Button>
        <CopyButton
          label="Copy link to this moment"
          text={reportUrl(router, id, step === undefined ? undefined : String(step))}
        />
      </div>
      {traceId === undefined || traceId === null ? null : (
        <div className={styles.test}>
          <span>Trace id</span>
          <code>{traceId}</code>
          <CopyButton label="Copy trace id" text={traceId} />
        </div>
      )}
      {opening.failed?.id === id ? <Notice tone="fail">{opening.failed.message}</Notice> : null}
      {file === undefined ? null : <Check report={report} file={file} />}
      {report.picture === null ? null : <Picture report={report} name={report.picture} />}
      <div className={styles.test}>
        <span>Make a test</span>
        <code>
          {command.split(' ').map((word, at) => (
            // A line would break within an option, after its hyphens.
            <span key={at}>{word} </span>
          ))}
        </code>
        <CopyButton label="Copy command" text={command} />
      </div>
    </div>
  )
}

const WORDS = {
  fails: 'Replayed and checked: it fails with this build',
  passes: 'Replayed and checked: it passes with this build',
  same: 'Replayed: this build behaves the same',
  differs: 'Replayed: this build differs',
  unusable: 'Could not be replayed',
} as const

/** Runs the recording with the machines of this build, in a worker. */
function Check({ report, file }: { readonly report: Report; readonly file: File }) {
  const { cause, fingerprint } = report
  const job = useMemo(
    () => new RunJob('judge', { file: () => Promise.resolve(file), systems: () => ({}), size: () => 0 }),
    [file],
  )
  const state = useSyncExternalStore(job.subscribe, job.state)
  useEffect(() => {
    job.start(blob => ({ file: blob, incident: { kind: cause, fingerprint } }))
    return job.cancel
  }, [job, cause, fingerprint])
  if (state.phase === 'failed') return <Notice tone="fail">Could not be checked: {state.message}</Notice>
  if (state.phase !== 'done') return <output>Checking with the machines of this build…</output>
  const { outcome, summary } = state.answer
  return (
    <output className={styles.verdict}>
      <Outcome outcome={outcome} />
      {WORDS[outcome]}: {summary}
    </output>
  )
}

/** Loaded on request, as pictures are larger than recordings. */
function Picture({ report, name }: { readonly report: Report; readonly name: string }) {
  const [isWanted, setWanted] = useState(false)
  const { data, failure } = usePageRequest(
    isWanted ? ['report picture', report.id] : undefined,
    async (database, signal) => {
      const blob = await downloadFile(database, report, name)
      const type = name.endsWith('.jpg') ? 'image/jpeg' : `image/${name.split('.').at(-1) ?? 'png'}`
      const { url, revoke } = await inertUrl(blob, type)
      if (signal.aborted) revoke()
      signal.addEventListener('abort', revoke)
      return { url }
    },
  )
  if (data) return <img className={styles.picture} src={data.url} alt="The page when it was reported" />
  return (
    <>
      <Button
        size="s"
        icon={<Image size={13} aria-hidden />}
        isPending={isWanted && failure === undefined}
        onPress={() => setWanted(true)}
      >
        Show picture
      </Button>
      {failure ? <Notice tone="fail">{explainFailure(failure).message}</Notice> : null}
    </>
  )
}
