// A look at a host, for as long as it is shown.
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createSurvey, type Survey, type SurveyState } from '../../../survey.ts'

/** Begins when it is first shown, and again for another host. */
export function useSurvey(
  url: string,
  key: string,
): {
  readonly state: SurveyState
  readonly again: () => void
  readonly attached: ReturnType<Survey['attached']>
} {
  const survey = useMemo(() => createSurvey({ url, key }), [url, key])
  useEffect(() => {
    survey.start()
    return survey.stop
  }, [survey])
  const state = useSyncExternalStore(survey.subscribe, survey.state)
  return { state, again: survey.again, attached: survey.attached() }
}
