// Notices for a failed attempt: its explanation, a countdown for a rate limit, and the requirements for a password.
import { formatSpan } from '../../../services/workbench/text/index.ts'
import type { Failure } from '../../../services/client/index.ts'
import { useNow } from '../hooks.ts'
import { Notice } from '../shell/page.tsx'
import styles from './auth.module.css'
import { explainAuthFailure, needsOf } from '../../../services/workbench/auth/index.ts'
import { Check, X } from 'lucide-react'

/** Whether a wait is still running; updates every tick. */
export const useWaiting = (until: number | undefined): boolean => {
  const now = useNow()
  return until !== undefined && now < until
}

export interface FailureNoticeProps {
  readonly failure: Failure
  /** Client time until which the server rejects further attempts. */
  readonly waitUntil: number | undefined
}

/** Explains a failure, with a countdown if it passes with time. */
export function FailureNotice({ failure, waitUntil }: FailureNoticeProps) {
  if (waitUntil !== undefined)
    return <WaitNotice text="Too many attempts, or too soon after the last one." until={waitUntil} />
  return <Notice tone="fail">{explainAuthFailure(failure)}</Notice>
}

/** The text stays the same so that screen readers announce it once; the countdown is separate. */
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

export interface NeedsListProps {
  readonly failure: Failure
  readonly refused: string
  readonly password: string
}

/** Shown below the field of a password that was rejected as weak. */
export function NeedsList({ failure, refused, password }: NeedsListProps) {
  const needs = needsOf(failure.message, refused)
  if (needs.length === 0) return <Notice tone="fail">{failure.message}</Notice>
  return (
    <div role="alert" className={styles.needs}>
      <p>This password is too weak for this backend. It needs:</p>
      <ul aria-label="Password requirements">
        {needs.map(({ text, isMet }) => {
          const is = isMet(password)
          const Icon = is ? Check : X
          return (
            <li key={text} data-met={is}>
              <Icon size={14} aria-hidden />
              <span>
                {text}
                <span className={styles.spoken}>{is ? ' (met)' : ' (missing)'}</span>
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
