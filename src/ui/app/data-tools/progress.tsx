// How far something has come: a bar with its name and the numbers in words.
import { Label, ProgressBar } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import styles from './tools.module.css'

export interface ProgressProps {
  readonly label: string
  /** Between 0 and 1; undefined while nobody knows. */
  readonly share: number | undefined
  /** What the number is, e.g. `1,200 of 4,000 rows`. */
  readonly text: string
  readonly isHeld?: boolean
}

export function Progress({ label, share, text, isHeld = false }: ProgressProps) {
  return (
    <ProgressBar
      className={cx(styles.progress)}
      isIndeterminate={share === undefined}
      value={share === undefined ? 0 : 100 * share}
      valueLabel={text}
    >
      <span className={styles.progressLine}>
        <Label>{label}</Label>
        <span className={styles.number}>{text}</span>
      </span>
      <span className={styles.track}>
        <span
          className={cx(styles.fill, share === undefined && styles.moving, isHeld && styles.held)}
          style={{ width: share === undefined ? '30%' : `${100 * share}%` }}
        />
      </span>
    </ProgressBar>
  )
}
