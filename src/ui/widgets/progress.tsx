// Progress bars: with label and text, or the bar only.
import { Label, ProgressBar } from 'react-aria-components'
import { cx } from './cx.ts'
import styles from './progress.module.css'

/** `held`: paused by the user; `waiting`: continues automatically. */
export type ProgressTone = 'going' | 'held' | 'waiting'

interface BarProps {
  readonly label: string
  /** Between 0 and 1; undefined while unknown. */
  readonly share: number | undefined
  readonly tone?: ProgressTone
}

export interface ProgressProps extends BarProps {
  /** Text form of the progress, e.g. `1,200 of 4,000 rows`. */
  readonly text: string
}

export function Progress({ label, share, text, tone = 'going' }: ProgressProps) {
  return (
    <ProgressBar className={cx(styles.progress)} {...valueOf(share)} valueLabel={text}>
      <span className={styles.line}>
        <Label>{label}</Label>
        <span className={styles.number}>{text}</span>
      </span>
      <Track share={share} tone={tone} />
    </ProgressBar>
  )
}

/** The bar only, for lines with their own text. */
export function BareProgress({ label, share, tone = 'going' }: BarProps) {
  return (
    <ProgressBar aria-label={label} {...valueOf(share)}>
      <Track share={share} tone={tone} />
    </ProgressBar>
  )
}

const valueOf = (share: number | undefined) =>
  share === undefined ? { isIndeterminate: true } : { value: 100 * share }

function Track({ share, tone }: Required<Pick<BarProps, 'share' | 'tone'>>) {
  return (
    <span className={styles.track}>
      <span
        className={cx(styles.fill, styles[tone], share === undefined && styles.moving)}
        style={{ width: share === undefined ? '30%' : `${100 * share}%` }}
      />
    </span>
  )
}
