// The list of completions below the query field.
import { cx } from '../../widgets/cx.ts'
import type { Offer } from './completion.ts'
import styles from './query.module.css'

export interface OffersProps {
  readonly id: string
  /** Undefined while the list is closed. */
  readonly offers: readonly Offer[] | undefined
  readonly chosen: number
  readonly onTake: (at: number) => void
}

export function Offers({ id, offers, chosen, onTake }: OffersProps) {
  if (!offers) return null
  return (
    <div className={styles.offers} id={id} role="listbox" tabIndex={-1} aria-label="Suggestions">
      {offers.map(({ text, help }, at) => (
        <div
          key={text}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === chosen}
          className={cx(styles.offer, at === chosen && styles.chosen)}
          // The field keeps the focus.
          onPointerDown={event => {
            event.preventDefault()
            onTake(at)
          }}
        >
          <span className={styles.text}>{text}</span>
          <span className={styles.help}>{help}</span>
        </div>
      ))}
    </div>
  )
}
