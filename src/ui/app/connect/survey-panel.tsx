// Diagnostics of a backend: state, version, response time and message of each service.
import { RefreshCw } from 'lucide-react'
import {
  readKey,
  createSurvey,
  type Survey,
  type SurveyState,
} from '../../../services/workbench/hosts/index.ts'
import { FAMILIES, type Family, type FamilyReport } from '../../../machines/index.ts'
import { Button } from '../../widgets/button.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { Spinner } from '../../widgets/spinner.tsx'
import { JobConsole } from '../job-console.tsx'
import styles from './survey.module.css'
import { describeClock, FAMILY_NAMES, describeKey, STATES, summary } from './describe-survey.ts'
import { useEffect, useMemo, useSyncExternalStore } from 'react'

export interface SurveyPanelProps {
  readonly name: string
  readonly url: string
  /** A key that is known to be public. */
  readonly apiKey: string
}

/** Runs when it is shown, and again on request. */
export function SurveyPanel({ name, url, apiKey }: SurveyPanelProps) {
  const { state, retry, attached } = useSurvey(url, apiKey)
  const isOver = state.phase !== 'running'
  return (
    <section aria-label={`Diagnostics of ${name}`} className={styles.panel}>
      <header className={styles.head}>
        <span role="status">{summary(state)}</span>
        <Button size="s" icon={<RefreshCw size={13} aria-hidden />} isDisabled={!isOver} onPress={retry}>
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
      {isOver ? (
        <div className={styles.states}>
          <JobConsole recording={attached.recording} control={attached.control} />
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

/** Starts when first shown, and again for another backend. */
function useSurvey(
  url: string,
  key: string,
): {
  readonly state: SurveyState
  readonly retry: () => void
  readonly attached: ReturnType<Survey['attached']>
} {
  const survey = useMemo(() => createSurvey({ url, key }), [url, key])
  useEffect(() => {
    survey.start()
    return survey.stop
  }, [survey])
  const state = useSyncExternalStore(survey.subscribe, survey.state)
  return { state, retry: survey.retry, attached: survey.attached() }
}
