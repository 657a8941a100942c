// A card on the account page: a titled region with text and buttons.
import type { ReactNode } from 'react'
import styles from './account.module.css'

export interface CardProps {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** Labeled by its title. */
export function Card({ title, aside, children }: CardProps) {
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
