// An actor that has no statechart: what it is, what it works on, and how it ended.
import type { ActorEntry, ViewRecord } from '../../trace/format.ts'
import styles from './centre.module.css'
import { describe } from './json-nodes.ts'
import { clockTime } from './text.ts'

const KINDS: Readonly<Record<ActorEntry['kind'], readonly [string, string]>> = {
  machine: ['A machine', 'The trace holds no chart of it, so only its state and context can be shown.'],
  promise: [
    'A promise',
    'It does one thing, such as a request, and answers once: with a value or with an error.',
  ],
  callback: [
    'A callback',
    'It listens to something outside, such as a socket, and sends events while it runs.',
  ],
  observable: [
    'An observable',
    'It follows a stream of values, such as online and offline, and passes each on.',
  ],
  other: ['Some other logic', 'It has no chart; its events and context are on the right.'],
}

export interface ActorCardProps {
  readonly entry: ActorEntry
  readonly record: ViewRecord | undefined
  /** Its first record. */
  readonly started: ViewRecord | undefined
}

/** The card in place of a chart. */
export function ActorCard({ entry, record, started }: ActorCardProps) {
  const [what, how] = KINDS[entry.kind]
  const ended = record && record.status !== 'active'
  return (
    <div className={styles.card}>
      <h3>
        {what}: {entry.src}
      </h3>
      <p>{how}</p>
      <dl className={styles.facts}>
        <dt>path</dt>
        <dd>{entry.path}</dd>
        <dt>status</dt>
        <dd>{record ? (ended ? record.status : 'running') : 'not started'}</dd>
        {started ? (
          <>
            <dt>started</dt>
            <dd>{clockTime(started.t)}</dd>
          </>
        ) : null}
        {ended && started ? (
          <>
            <dt>ran for</dt>
            <dd>{clockTime(record.t - started.t)} s</dd>
          </>
        ) : null}
        {record?.output === undefined ? null : (
          <>
            <dt>output</dt>
            <dd>{describe(record.output).preview}</dd>
          </>
        )}
        {record?.error === undefined ? null : (
          <>
            <dt>error</dt>
            <dd>{describe(record.error).preview}</dd>
          </>
        )}
      </dl>
    </div>
  )
}
