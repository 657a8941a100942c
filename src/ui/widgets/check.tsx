// Checkboxes: one with a label, and one for selecting rows.
import type { ReactNode } from 'react'
import { Checkbox, VisuallyHidden } from 'react-aria-components'
import styles from './check.module.css'
import { cx } from './cx.ts'

export interface CheckProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children: ReactNode
  /** Shows the label to screen readers only. */
  readonly hideLabel?: boolean
  /** Explains the effect. */
  readonly hint?: string
}

/** The whole line is clickable. */
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

/** Checkbox that selects a row in a list, or all rows in the header. */
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
