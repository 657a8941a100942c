// A box to tick, with what it means.
import type { ReactNode } from 'react'
import { Checkbox } from 'react-aria-components'
import styles from './check.module.css'
import { cx } from './cx.ts'

export interface CheckProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children: ReactNode
  /** What follows from it. */
  readonly hint?: string
}

/** All of the line can be pressed. */
export function Check({ isOn, onChange, children, hint }: CheckProps) {
  return (
    <Checkbox isSelected={isOn} onChange={onChange} className={cx(styles.check)}>
      <span className={styles.box} aria-hidden />
      <span>
        {children}
        {hint === undefined ? null : <span className={styles.hint}> {hint}</span>}
      </span>
    </Checkbox>
  )
}
