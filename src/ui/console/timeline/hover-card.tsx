// What is under the pointer, in a few words.
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import { hoverFacts } from './lane-labels.ts'
import styles from './timeline.module.css'
import type { Hover } from './use-lane-pointer.ts'

/** Stays inside the window. */
const [WIDTH, HEIGHT] = [280, 90]

export function HoverCard({ timeline, actor, seq, isPoint, x, y }: Hover & { readonly timeline: Timeline }) {
  const { title, state, lines } = hoverFacts(timeline, actor, seq, isPoint)
  const left = Math.min(x + 12, innerWidth - WIDTH)
  const top = y + HEIGHT > innerHeight ? y - HEIGHT : y + 14
  return (
    <div aria-hidden className={styles.hover} style={{ left, top }}>
      <b>{title}</b>
      <span className={styles.hoverState}>{state}</span>
      {lines.map(line => (
        <span key={line}>{line}</span>
      ))}
    </div>
  )
}
