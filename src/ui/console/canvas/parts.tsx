// Parts of time views: the footer with what is shown and hidden, and the card next to the pointer.
import type { ReactNode } from 'react'
import styles from './parts.module.css'
import floating from './floating-card.module.css'

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

interface FloatingCardProps {
  /** Pointer position, in window coordinates. */
  readonly x: number
  readonly y: number
  readonly title: string
  /** A state or another value. */
  readonly value?: string | undefined
  readonly lines: readonly string[]
}

/** Stays inside the window. */
const [WIDTH, LINE] = [300, 19]

/** Visual only: the same content is available by keyboard in the view below. */
export function FloatingCard({ x, y, title, value, lines }: FloatingCardProps) {
  const height = 20 + LINE * (lines.length + (value === undefined ? 1 : 2))
  const left = Math.max(4, Math.min(x + 12, innerWidth - WIDTH))
  const top = y + 14 + height > innerHeight ? Math.max(4, y - height) : y + 14
  return (
    <div aria-hidden className={floating.card} style={{ left, top }}>
      <b>{title}</b>
      {value === undefined ? null : <span className={floating.value}>{value}</span>}
      {lines.map(line => (
        <span key={line}>{line}</span>
      ))}
    </div>
  )
}
