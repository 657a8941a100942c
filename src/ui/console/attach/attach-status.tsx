// One line under the console: who speaks, and what of it is not shown.
import type { ForeignReport } from '../../../trace/foreign/foreign-trace.ts'
import { count, plural } from '../text.ts'
import styles from './attach.module.css'

export interface AttachStatusProps {
  readonly report: ForeignReport
  readonly isServerGone: boolean
}

/** Everything that is left out is counted here. */
export function AttachStatus({ report, isServerGone }: AttachStatusProps) {
  const { apps, messages, hidden, dropped, refused, undrawn } = report
  return (
    <footer role="group" className={styles.status} aria-label="What is attached">
      <span className={styles.apps} data-there={apps > 0 || undefined}>
        <span aria-hidden className={styles.dot} />
        {apps === 0 ? 'No app is attached' : `${plural(apps, 'app')} attached`}
      </span>
      <span>{plural(messages, 'message')}</span>
      {isServerGone ? (
        <span className={styles.wrong} role="status">
          The server does not answer; it is tried again by itself
        </span>
      ) : null}
      {hidden > 0 ? (
        <span title="Made and never started, or stopped at once, as React's strict mode does">
          {plural(hidden, 'actor')} hidden: never started
        </span>
      ) : null}
      {dropped > 0 ? <span>{plural(dropped, 'older event')} let go</span> : null}
      {[...refused].map(([reason, times]) => (
        <span key={reason} className={styles.wrong}>
          {count(times)} refused: {reason}
        </span>
      ))}
      {[...undrawn].map(([machine, problem]) => (
        <span key={machine} className={styles.wrong}>
          {machine} is not drawn: {problem}
        </span>
      ))}
    </footer>
  )
}
