// The password requirements of a backend, checked off while the user types.
import { Check, X } from 'lucide-react'
import type { Failure } from '../../../services/client/index.ts'
import { Notice } from '../shell/page.tsx'
import styles from './auth.module.css'
import { needsOf } from '../../../services/workbench/auth/index.ts'

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
