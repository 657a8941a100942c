// The selected request: its states with times, the reason for each retry, and a curl command.
import { memo, useMemo } from 'react'
import type { Timeline, Wire } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { duration } from '../canvas/time-scale.ts'
import { clockTime, count } from '../text.ts'
import { methodOf, type NetworkRow } from './network-rows.ts'
import phases from './phases.module.css'
import styles from './request-details.module.css'
import { retriesOf, storyOf } from './request-story.ts'
import { formatSize } from '../../../machines/index.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])

/** For POSIX shells. The body is not recorded, so it is read from a file. */
export function curlOf({ method, path }: Pick<Wire, 'method' | 'path'>): string {
  const parts = [
    `curl -X ${/^[A-Z]+$/.test(method) ? method : quoted(method)} "$URL"${quoted(path)}`,
    `-H "apikey: $API_KEY"`,
    `-H "Authorization: Bearer $ACCESS_TOKEN"`,
    ...(WITHOUT_BODY.has(method) ? [] : [`-H 'Content-Type: application/json'`, '--data @body.json']),
  ]
  return parts.join(' \\\n  ')
}

export interface RequestDetailsProps {
  readonly timeline: Timeline
  /** Increases with the timeline. */
  readonly version: number
  readonly row: NetworkRow
  readonly onRecord: (seq: number) => void
}

export const RequestDetails = memo(function RequestDetails(props: RequestDetailsProps) {
  const { timeline, version, row, onRecord } = props
  const { wire, status, outcome, attempts, bytes } = row
  const story = useMemo(() => (version >= 0 ? storyOf(timeline, row) : []), [timeline, version, row])
  const fault = useMemo(
    () =>
      timeline
        .stepsOf(wire.actor)
        .map(seq => timeline.faultOf(seq))
        .find(Boolean),
    [timeline, wire],
  )
  return (
    <section className={styles.details} aria-label="Selected request">
      <header className={styles.head}>
        <h2 className={styles.title}>
          <span className={styles.method}>{methodOf(wire)}</span> {wire.path}
        </h2>
        {wire.kind === 'request' ? (
          <CopyButton text={curlOf(wire)} label="Copy as curl, without secrets" />
        ) : null}
      </header>
      <p className={styles.facts}>
        {[
          status === undefined ? '' : `${status}`,
          outcome,
          attempts === 1 ? '1 attempt' : `${count(attempts)} attempts`,
          `${duration(row.to - row.from)}${row.isOpen ? ' so far' : ''}`,
          bytes === undefined ? '' : `${formatSize(bytes)} response`,
          `started at ${clockTime(row.from)}`,
          fault === undefined ? '' : `injected by ${fault}`,
        ]
          .filter(fact => fact !== '')
          .join(' · ')}
      </p>
      <ol className={styles.story}>
        {story.map(({ seq, after, took, phase, text }) => (
          <li key={seq}>
            <button type="button" className={styles.chapter} onClick={() => onRecord(seq)}>
              <span className={styles.time}>{after === 0 ? '0 ms' : `+${duration(after)}`}</span>
              <span aria-hidden className={cx(styles.swatch, phases.phase)} data-phase={phase} />
              <span>{text}</span>
              <span className={styles.took}>{took}</span>
            </button>
          </li>
        ))}
      </ol>
      {retriesOf(wire).map(why => (
        <p key={why} className={styles.why}>
          {why}
        </p>
      ))}
      <p className={styles.note}>Headers and bodies are not recorded; for responses, only the size is.</p>
    </section>
  )
})
