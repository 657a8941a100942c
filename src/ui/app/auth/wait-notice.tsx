// A refusal that passes with time, counted down.
import { formatSpan } from '../format.ts'
import { useNow } from '../hooks.ts'
import { Notice } from '../shell/page.tsx'
import styles from './auth.module.css'

/** Whether a wait is still going on; ticks. */
export const useWaiting = (until: number | undefined): boolean => {
  const now = useNow()
  return until !== undefined && now < until
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
