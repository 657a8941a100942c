// A refusal that passes with time, counted down.
import { formatSpan } from '../format.ts'
import type { Failure } from '../../../index.ts'
import { useNow } from '../hooks.ts'
import { Notice } from '../shell/page.tsx'
import styles from './auth.module.css'
import { explainAuthFailure } from './explain.ts'

/** Whether a wait is still going on; ticks. */
export const useWaiting = (until: number | undefined): boolean => {
  const now = useNow()
  return until !== undefined && now < until
}

export interface FailureNoticeProps {
  readonly failure: Failure
  /** Client's time until which the server takes no further attempt. */
  readonly waitUntil: number | undefined
}

/** Why something was refused, counted down where it passes with time. */
export function FailureNotice({ failure, waitUntil }: FailureNoticeProps) {
  if (waitUntil !== undefined)
    return <WaitNotice text="Too many attempts, or too soon after the last one." until={waitUntil} />
  return <Notice tone="fail">{explainAuthFailure(failure)}</Notice>
}

/** The words stay the same, so that they are spoken once; the time beside them runs. */
export function WaitNotice({ text, until }: { readonly text: string; readonly until: number }) {
  const now = useNow()
  const isOver = now >= until
  return (
    <div className={styles.waiting}>
      <Notice tone={isOver ? 'info' : 'fail'}>{isOver ? 'You can try again now.' : text}</Notice>
      {isOver ? null : (
        <p role="timer" aria-label="Until the next attempt" className={styles.wait}>
          {formatSpan(until - now)}
        </p>
      )}
    </div>
  )
}
