// Runs the diagnostics of a backend while they are shown.
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createSurvey, type Survey, type SurveyState } from '../../../services/workbench/hosts/index.ts'

/** Starts when first shown, and again for another backend. */
export function useSurvey(
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
