// The heads of the lifelines, which select their actor, and the lines below them.
import { memo } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { familyColor, ownName, shortPath } from '../actor-names.ts'
import { OUTSIDE } from './sequence-rows.ts'
import styles from './sequence.module.css'

interface HeadsProps {
  readonly timeline: Timeline
  readonly lines: readonly number[]
  readonly actor: number
  readonly xOf: (line: number) => number
  /** Distance between lines, in pixels. */
  readonly pitch: number
  readonly onActor: (actor: number) => void
}

export const Heads = memo(function Heads({ timeline, lines, actor, xOf, pitch, onActor }: HeadsProps) {
  return (
    <div className={styles.heads}>
      {lines.map((of, line) => (
        <button
          key={line}
          type="button"
          tabIndex={-1}
          disabled={of === OUTSIDE}
          className={cx(styles.head, of === actor && styles.chosenHead)}
          style={{ left: xOf(line), maxWidth: pitch - 8 }}
          title={timeline.actors[of]?.path}
          onClick={() => onActor(of)}
        >
          <span
            aria-hidden
            className={styles.hue}
            style={{ background: of === OUTSIDE ? 'var(--ink-3)' : familyColor(timeline.family(of)) }}
          />
          <span className={styles.headName}>{headName(timeline, of)}</span>
        </button>
      ))}
    </div>
  )
})

/** Returns the actor's own name; its full path is in the title. */
function headName(timeline: Timeline, actor: number): string {
  const entry = timeline.actors[actor]
  return entry ? ownName(entry, timeline.actors) : 'outside'
}

/** Returns the path without the root's name, or `outside`. */
export function nameOf(timeline: Timeline, actor: number): string {
  const entry = timeline.actors[actor]
  return entry ? shortPath(entry) : 'outside'
}
