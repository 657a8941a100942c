// A small card next to the pointer that describes what is below it.
import styles from './floating-card.module.css'

export interface FloatingCardProps {
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
    <div aria-hidden className={styles.card} style={{ left, top }}>
      <b>{title}</b>
      {value === undefined ? null : <span className={styles.value}>{value}</span>}
      {lines.map(line => (
        <span key={line}>{line}</span>
      ))}
    </div>
  )
}
