// A look at a host, for as long as it is shown.
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createSurvey, type SurveyState } from '../../../survey.ts'

/** Begins when it is first shown, and again for another host. */
export function useSurvey(
  url: string,
  key: string,
): { readonly state: SurveyState; readonly again: () => void } {
  const survey = useMemo(() => createSurvey({ url, key }), [url, key])
  useEffect(() => {
    survey.start()
    return survey.stop
  }, [survey])
  return { state: useSyncExternalStore(survey.subscribe, survey.state), again: survey.again }
}
