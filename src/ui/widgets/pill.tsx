// Status dots and chips.
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './pill.module.css'

/** Meaning of a color; text always conveys it as well. */
export type Tone = 'neutral' | 'ok' | 'pending' | 'fail' | 'stale' | 'inject'

/** A dot in a tone; decoration next to a text. */
export function Dot({ tone }: { readonly tone: Tone }) {
  return <span aria-hidden className={cx(styles.dot, styles[tone])} />
}

export interface ChipProps {
  readonly tone?: Tone
  /** Drawn with a dashed border: not settled yet. */
  readonly pending?: boolean
  readonly title?: string
  readonly children: ReactNode
}

/** A state or value in the monospace font. */
export function Chip({ tone = 'neutral', pending = false, title, children }: ChipProps) {
  return (
    <span className={cx(styles.chip, styles[tone], pending && styles.dashed)} title={title}>
      {children}
    </span>
  )
}
