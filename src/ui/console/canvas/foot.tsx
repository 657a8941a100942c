// The footer of a time view: what it shows and what it hides.
import type { ReactNode } from 'react'
import styles from './parts.module.css'

export interface FootProps {
  /** Falsy facts are left out. */
  readonly facts: readonly (string | false | undefined)[]
  /** Shown at the end if there is room. */
  readonly children?: ReactNode
}

export function Foot({ facts, children }: FootProps) {
  return (
    <div className={styles.foot}>
      <span className={styles.facts}>{facts.filter(fact => typeof fact === 'string').join(' · ')}</span>
      {children === undefined ? null : <span className={styles.aside}>{children}</span>}
    </div>
  )
}
