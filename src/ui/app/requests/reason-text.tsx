// The sentence next to a failure that says why, the same as in the console.
import { useMemo } from 'react'
import { useClient } from '../../react/index.ts'
import { useLoaded } from '../../widgets/use-promise.ts'
import type { ClientQuestion } from './questions.ts'
import styles from './requests.module.css'

export interface ReasonTextProps extends Pick<ClientQuestion, 'question'> {
  /** The answer is asked for again when this changes. */
  readonly of?: string
}

/** Renders nothing until the reason is known, or if the recording does not show it. */
export function ReasonText({ question, of }: ReasonTextProps) {
  const { recording } = useClient()
  const load = useMemo(
    () =>
      recording &&
      (async () => {
        const { reasonInWords } = await import('./reason-place.ts')
        return reasonInWords(recording.trace, question)
      }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the recording has grown
    [recording, question, of],
  )
  const sentence = useLoaded(load)?.value
  return sentence === undefined ? null : <span className={styles.reason}>{sentence}</span>
}
