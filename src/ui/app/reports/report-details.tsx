// One report: the user's words, what its recording shows, the recording itself, and the command for a test.
import { useRouter, useSearch } from '@tanstack/react-router'
import { CircleHelp, Download, FlaskConical, Image, SquareTerminal } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import {
  downloadFile,
  type Examined,
  headline,
  type Report,
  testOffer,
} from '../../../services/workbench/reports/index.ts'
import { explainFailure } from '../../../services/workbench/rest/index.ts'
import { inertUrl } from '../../../services/workbench/text/index.ts'
import { useClient } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { Notice } from '../shell/page.tsx'
import { usePageRequest } from '../use-page-request.ts'
import { FIRST_ACTION } from './focus.ts'
import { type OpenedReport, reportUrl, type useOpenReport } from './open-report.ts'
import styles from './reports.module.css'

const TONES = { fails: 'fail', passes: 'ok', same: 'neutral', differs: 'pending', unusable: 'stale' } as const

export const Outcome = ({ outcome }: { readonly outcome: keyof typeof TONES }) => (
  <Chip tone={TONES[outcome]}>{outcome}</Chip>
)

interface DetailsProps {
  readonly report: Report
  readonly opening: ReturnType<typeof useOpenReport>
}

export function ReportDetails({ report, opening }: DetailsProps) {
  const { id, note, driven_at: drivenAt, driven_summary: summary } = report
  const opened = opening.of(id)
  const [wantsTest, setWantsTest] = useState(false)
  const { title } = headline(report)
  return (
    <div className={styles.details}>
      {note === '' || note === title ? null : <p className={styles.fullNote}>{note}</p>}
      {drivenAt === null ? null : (
        <p>
          Run with {report.driven_version ?? 'an unknown version'}: {summary}
        </p>
      )}
      <Actions report={report} opening={opening} onTest={() => setWantsTest(true)} />
      <TraceId report={report} />
      {opening.failed?.id === id ? <Notice tone="fail">{opening.failed.message}</Notice> : null}
      {opened === undefined ? null : (
        <Examination key={id} report={report} opened={opened} takesFocus={wantsTest} />
      )}
      {report.picture === null ? null : <Picture report={report} name={report.picture} />}
    </div>
  )
}

function Actions({ report, opening, onTest }: DetailsProps & { readonly onTest: () => void }) {
  const router = useRouter()
  const { step } = useSearch({ strict: false })
  const { id } = report
  const [asked, setAsked] = useState<'why' | 'open' | 'test' | 'download'>()
  const act = (what: NonNullable<typeof asked>, then: (opened: OpenedReport) => unknown) => ({
    isPending: asked === what && opening.pending === id,
    onPress: () => {
      setAsked(what)
      void opening.load(report).then(opened => opened && then(opened))
    },
  })
  const showWhy = async ({ examination }: OpenedReport) => {
    const reason = (await answerOf(examination))?.why?.reason
    const place = reason && { at: String(reason.step), actor: reason.actor, tab: 'cause' }
    await opening.open(report, place)
  }
  return (
    <div className={styles.acts}>
      <Button
        size="s"
        variant="primary"
        icon={<CircleHelp size={13} aria-hidden />}
        {...FIRST_ACTION}
        {...act('why', showWhy)}
      >
        Why?
      </Button>
      <Button size="s" icon={<FlaskConical size={13} aria-hidden />} {...act('test', onTest)}>
        Make a test
      </Button>
      <Button
        size="s"
        icon={<SquareTerminal size={13} aria-hidden />}
        {...act('open', () => opening.open(report))}
      >
        Open in console
      </Button>
      <Button
        size="s"
        icon={<Download size={13} aria-hidden />}
        {...act('download', ({ file }) => saveAs(file, file.name))}
      >
        Download
      </Button>
      <CopyButton
        label="Copy link to this moment"
        text={reportUrl(router, id, step === undefined ? undefined : String(step))}
      />
    </div>
  )
}

/** The result; undefined if the recording could not be read. */
function answerOf({ state, subscribe }: OpenedReport['examination']): Promise<Examined | undefined> {
  return new Promise(resolve => {
    const look = () => {
      const now = state()
      if (now.phase === 'none' || now.phase === 'going') return
      resolve(now.phase === 'done' ? now.last.answer : undefined)
      unsubscribe()
    }
    const unsubscribe = subscribe(look)
    look()
  })
}

function TraceId({ report: { trace_id: traceId } }: { readonly report: Report }) {
  if (traceId === undefined || traceId === null) return null
  return (
    <div className={styles.test}>
      <span>Trace id</span>
      <code>{traceId}</code>
      <CopyButton label="Copy trace id" text={traceId} />
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

interface ExaminationProps {
  readonly report: Report
  readonly opened: OpenedReport
  /** Whether the focus goes to the command as soon as there is one. */
  readonly takesFocus: boolean
}

/** What the recording shows, found in a worker with the machines of this build. */
function Examination({ report, opened: { examination }, takesFocus }: ExaminationProps) {
  const state = useSyncExternalStore(examination.subscribe, examination.state)
  if (state.phase === 'failed')
    return (
      <Notice tone="fail">
        {state.message} No test can be made of it; <em>Download</em> saves the file as it arrived.
      </Notice>
    )
  if (state.phase !== 'done') return <output>Checking with the machines of this build…</output>
  const { answer } = state.last
  const { why, damage, verdict } = answer
  return (
    <>
      <output className={styles.verdict}>
        {why === undefined ? null : (
          <p>
            {why.sentence} {why.next}
          </p>
        )}
        {damage === undefined ? null : (
          <p>
            The recording is damaged ({damage}). What could be read is shown; <em>Download</em> saves the file
            as it arrived.
          </p>
        )}
        <p>
          <Outcome outcome={verdict.outcome} /> {WORDS[verdict.outcome]}: {verdict.summary}
        </p>
      </output>
      <Test report={report} examined={answer} takesFocus={takesFocus} />
    </>
  )
}

interface TestProps {
  readonly report: Report
  readonly examined: Examined
  readonly takesFocus: boolean
}

function Test({ report, examined, takesFocus }: TestProps) {
  const offer = testOffer(report, examined, useClient().url)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) (place.current?.querySelector('button') ?? place.current)?.focus()
  }, [takesFocus])
  if (offer.kind === 'none')
    return (
      <div ref={place} tabIndex={-1} className={styles.offer}>
        <p>No test: {offer.why}</p>
      </div>
    )
  const { command, about } = offer
  return (
    <div ref={place} className={styles.offer}>
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
      <p className={styles.about}>
        {about} It reads the report with the project’s secret key, from the environment variable
        SUPABASE_SECRET_KEY.
      </p>
    </div>
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
