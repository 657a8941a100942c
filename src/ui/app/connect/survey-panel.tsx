// Diagnostics of a backend: state, version, response time and message of each service.
import { RefreshCw } from 'lucide-react'
import {
  readKey,
  startSurvey,
  type SurveyState,
  surveyState,
  type ApiKey,
} from '../../../services/workbench/hosts/index.ts'
import { FAMILIES, type Family, type FamilyReport } from '../../../machines/workbench/survey.ts'
import { Button } from '../../widgets/button.tsx'
import { Chip, type Tone } from '../../widgets/pill.tsx'
import { Spinner } from '../../widgets/spinner.tsx'
import { JobConsole } from '../job-console.tsx'
import styles from './survey.module.css'
import { useSelector } from '@xstate/react'
import { useCallback } from 'react'
import { useStarted } from '../hooks.ts'
import { formatSpan } from '../../../services/workbench/text/index.ts'

export interface SurveyPanelProps {
  readonly name: string
  readonly url: string
  /** A key that is known to be public. */
  readonly apiKey: string
}

/** Runs when it is shown, and again on request. */
export function SurveyPanel({ name, url, apiKey }: SurveyPanelProps) {
  const { state, survey } = useSurvey(url, apiKey)
  const isOver = state.phase !== 'running'
  return (
    <section aria-label={`Diagnostics of ${name}`} className={styles.panel}>
      <header className={styles.head}>
        <span role="status">{summary(state)}</span>
        <Button
          size="s"
          icon={<RefreshCw size={13} aria-hidden />}
          isDisabled={!isOver}
          onPress={() => survey?.actor.send({ type: 'survey.retry' })}
        >
          Rerun
        </Button>
      </header>
      <ul className={styles.families}>
        {FAMILIES.map(family => (
          <FamilyLine key={family} family={family} report={state.reports[family]} />
        ))}
      </ul>
      <dl className={styles.facts}>
        <dt>Key</dt>
        <dd>{describeKey(readKey(apiKey)).join(' ')}</dd>
        {isOver ? (
          <>
            <dt>Clock</dt>
            <dd>{describeClock(state.reports)}</dd>
          </>
        ) : null}
      </dl>
      {isOver && survey ? (
        <div className={styles.states}>
          <JobConsole {...survey} />
        </div>
      ) : null}
    </section>
  )
}

interface FamilyLineProps {
  readonly family: Family
  readonly report: FamilyReport | undefined
}

function FamilyLine({ family, report }: FamilyLineProps) {
  const state = report && STATES[report.state]
  return (
    <li className={styles.family}>
      <span className={styles.name}>{FAMILY_NAMES[family]}</span>
      {state ? <Chip tone={state.tone}>{state.word}</Chip> : <Spinner />}
      <span className={styles.ms}>{report ? `${report.ms} ms` : ''}</span>
      <span className={styles.said}>
        {report ? [report.detail, ...report.facts].join(' ') : 'checking…'}
        {report?.version === undefined ? null : <code className={styles.version}>{report.version}</code>}
      </span>
    </li>
  )
}

const STARTING: SurveyState = { phase: 'running', reports: {} }

/** Starts when first shown, and again for another backend. */
function useSurvey(url: string, key: string) {
  const start = useCallback(() => {
    const started = startSurvey({ url, key })
    return { started, stop: () => void started.actor.stop() }
  }, [url, key])
  const survey = useStarted(start)
  const state = useSelector(survey?.actor, snapshot => (snapshot ? surveyState(snapshot) : STARTING))
  return { state, survey }
}

const FAMILY_NAMES: Readonly<Record<Family, string>> = {
  auth: 'Accounts',
  rest: 'Data',
  storage: 'Files',
  functions: 'Functions',
  realtime: 'Realtime',
}

const STATES: Readonly<Record<FamilyReport['state'], { readonly word: string; readonly tone: Tone }>> = {
  ok: { word: 'OK', tone: 'ok' },
  closed: { word: 'limited', tone: 'stale' },
  absent: { word: 'not available', tone: 'stale' },
  unhealthy: { word: 'unhealthy', tone: 'fail' },
  noResponse: { word: 'unreachable', tone: 'fail' },
}

/** Lists that need a sign-in or names are usual; accounts that refuse the key are not. */
const isFine = (family: Family, state: FamilyReport['state'] | undefined): boolean =>
  state === 'ok' || (state === 'closed' && family !== 'auth')

/** Progress, then the overall result. */
export function summary({ phase, reports }: SurveyState): string {
  const families = FAMILIES.filter(family => reports[family] !== undefined)
  if (phase === 'running') return `${families.length} of ${FAMILIES.length} checked`
  const missing = FAMILIES.filter(family => !isFine(family, reports[family]?.state))
  if (missing.length === 0) return 'All services OK'
  if (missing.length === FAMILIES.length)
    return missing.some(family => reports[family]?.state === 'unhealthy')
      ? 'No service is healthy'
      : 'Backend unreachable'
  return `All OK except ${missing.map(family => FAMILY_NAMES[family]).join(', ')}`
}

/** Smaller differences count as in sync: a Date header has whole seconds. */
const AGREES_MS = 2_000

/** Difference between the backend's clock and this device's, from the fastest response. */
export function describeClock(reports: SurveyState['reports']): string {
  const found = FAMILIES.flatMap(family => reports[family] ?? [])
    .filter(({ skew }) => skew !== undefined)
    .toSorted((a, b) => a.ms - b.ms)
  const skew = found[0]?.skew
  if (skew === undefined) return 'Clock unknown until sign-in.'
  if (Math.abs(skew) < AGREES_MS) return 'This device’s clock is in sync with the backend.'
  const span = Math.abs(skew) < 60_000 ? `${Math.round(Math.abs(skew) / 1000)} s` : formatSpan(Math.abs(skew))
  return `This device’s clock is ${span} ${skew > 0 ? 'behind' : 'ahead of'} the backend’s. Chartroom corrects for it.`
}

/** Describes the kind of key and what it allows. */
function describeKey({ kind, project, expiresAt }: ApiKey): readonly string[] {
  const what =
    kind === 'publishable'
      ? 'Publishable key.'
      : kind === 'anon'
        ? 'Anon key (a token with the role anon).'
        : 'Unknown kind of key.'
  return [
    what,
    'Signed out, requests run as the role anon; signed in, they run as you. RLS applies to both.',
    ...(project === undefined ? [] : [`Project: ${project}.`]),
    ...(expiresAt === undefined ? [] : [`Valid until ${new Date(expiresAt).toISOString().slice(0, 10)}.`]),
  ]
}
