// Diagnostics of a backend: state, version, response time and message of each service.
import { RefreshCw } from 'lucide-react'
import {
  readKey,
  startSurvey,
  type SurveyState,
  surveyState,
} from '../../../services/workbench/hosts/index.ts'
import { FAMILIES, type Family, type FamilyReport } from '../../../machines/index.ts'
import { Button } from '../../widgets/button.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { Spinner } from '../../widgets/spinner.tsx'
import { JobConsole } from '../job-console.tsx'
import styles from './survey.module.css'
import { describeClock, FAMILY_NAMES, describeKey, STATES, summary } from './describe-survey.ts'
import { useSelector } from '@xstate/react'
import { useCallback } from 'react'
import { useStarted } from '../hooks.ts'

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
