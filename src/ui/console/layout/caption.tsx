// The latest event in large type below the chart, for presentations.
import { shortPath } from '../../../trace/index.ts'
import { changeAt } from '../state-change.ts'
import { clockTime, count } from '../text.ts'
import { useConsole } from '../use-console.ts'
import styles from './layout.module.css'

export function Caption() {
  const { timeline, selection } = useConsole()
  const { seq } = selection
  if (seq < 0) return null
  const entry = timeline.actors[timeline.actor(seq)]
  const change = timeline.state(seq).value === undefined ? undefined : changeAt(timeline, seq)
  return (
    <p className={styles.caption}>
      <span className={styles.when}>
        #{count(seq)} · {clockTime(timeline.t(seq))}
      </span>
      <strong>{entry ? shortPath(entry) : ''}</strong>
      <code className={styles.what}>{timeline.type(seq)}</code>
      {change ? <span>{change.from === '' ? change.to : `${change.from} → ${change.to}`}</span> : null}
    </p>
  )
}
