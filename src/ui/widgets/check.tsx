// Boxes to tick: one with what it means, one of a row in a list.
import type { ReactNode } from 'react'
import { Checkbox, VisuallyHidden } from 'react-aria-components'
import styles from './check.module.css'
import { cx } from './cx.ts'

export interface CheckProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children: ReactNode
  /** The words are for screen readers alone. */
  readonly hideLabel?: boolean
  /** What follows from it. */
  readonly hint?: string
}

/** All of the line can be pressed. */
export function Check({ isOn, onChange, children, hideLabel = false, hint }: CheckProps) {
  const words = (
    <span>
      {children}
      {hint === undefined ? null : <span className={styles.hint}> {hint}</span>}
    </span>
  )
  return (
    <Checkbox isSelected={isOn} onChange={onChange} className={cx(styles.check, hideLabel && styles.alone)}>
      <span className={styles.box} aria-hidden />
      {hideLabel ? <VisuallyHidden>{words}</VisuallyHidden> : words}
    </Checkbox>
  )
}

/** The box of a row in a list whose rows are chosen by it; above them, of all. */
export function RowCheck({ label }: { readonly label?: string }) {
  return (
    <Checkbox
      slot="selection"
      {...(label === undefined ? {} : { 'aria-label': label })}
      className={cx(styles.check, styles.alone)}
    >
      <span className={styles.box} aria-hidden />
    </Checkbox>
  )
}
