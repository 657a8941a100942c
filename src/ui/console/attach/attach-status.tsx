// Status line below the console: which apps are attached and which of their data is not shown.
import type { ForeignReport } from '../../../trace/index.ts'
import { count, plural } from '../text.ts'
import styles from './attach.module.css'

export interface AttachStatusProps {
  readonly report: ForeignReport
  readonly isServerGone: boolean
}

/** Counts everything that is left out. */
export function AttachStatus({ report, isServerGone }: AttachStatusProps) {
  const { apps, messages, hidden, dropped, refused, undrawn } = report
  return (
    <footer role="group" className={styles.status} aria-label="Attached apps">
      <span className={styles.apps} data-there={apps > 0 || undefined}>
        <span aria-hidden className={styles.dot} />
        {apps === 0 ? 'No app is attached' : `${plural(apps, 'app')} attached`}
      </span>
      <span>{plural(messages, 'message')}</span>
      {isServerGone ? (
        <span className={styles.wrong} role="status">
          The server is not responding. Retrying…
        </span>
      ) : null}
      {hidden > 0 ? (
        <span title="Created but never started, or stopped immediately, as in React's strict mode">
          {plural(hidden, 'actor')} hidden: never started
        </span>
      ) : null}
      {dropped > 0 ? <span>{plural(dropped, 'older event')} dropped</span> : null}
      {[...refused].map(([reason, times]) => (
        <span key={reason} className={styles.wrong}>
          {count(times)} rejected: {reason}
        </span>
      ))}
      {[...undrawn].map(([machine, problem]) => (
        <span key={machine} className={styles.wrong}>
          {machine} not drawn: {problem}
        </span>
      ))}
    </footer>
  )
}
