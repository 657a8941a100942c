// A diagnostics run for a backend: the survey machine with real network requests, as a job.
import { fromCallback, type EventObject, type SnapshotFrom } from 'xstate'
import {
  type Family,
  type FamilyAnswered,
  type FamilyReport,
  type SurveyContext,
  surveyMachine,
} from '../../../machines/index.ts'
import { boundedFetch } from '../../client/index.ts'
import { type Job, runJob } from '../jobs/run-job.ts'
import { probeHost, type Host, type HostPorts } from './family-calls.ts'

/** State of the run. */
export interface SurveyState {
  readonly phase: 'running' | 'complete' | 'timedOut'
  readonly reports: SurveyContext['reports']
}

export type Survey = Job<typeof surveyMachine>

/** In ms. Remote backends respond well within this time. */
const DEADLINE_MS = 8_000

const browser = (): HostPorts => ({
  fetch: boundedFetch(globalThis.fetch.bind(globalThis), { all: true }),
  WebSocket: globalThis.WebSocket,
  now: () => performance.now(),
  wall: () => Date.now(),
})

/** Starts a diagnostics run. Secret keys are never sent, since they are rejected beforehand. */
export function startSurvey(
  host: Host,
  { deadline = DEADLINE_MS, ...ports }: Partial<HostPorts> & { readonly deadline?: number } = {},
): Survey {
  const used = { ...browser(), ...ports }
  const probeFamily = fromCallback<EventObject, { readonly family: Family }, FamilyAnswered>(
    ({ input: { family }, sendBack }) => {
      const leaving = new AbortController()
      void probeHost(family, host, used, leaving.signal)
        .catch(broken)
        .then(report => sendBack({ type: 'family.answered', family, report }))
      return () => leaving.abort()
    },
  )
  return runJob('survey', surveyMachine.provide({ actors: { probeFamily } }), { deadline })
}

export const surveyState = ({ value, context }: SnapshotFrom<typeof surveyMachine>): SurveyState => ({
  phase: value,
  reports: context.reports,
})

const broken = (error: unknown): FamilyReport => ({
  state: 'noResponse',
  ms: 0,
  detail: `The check failed: ${error instanceof Error ? error.message : String(error)}`,
  facts: [],
})
