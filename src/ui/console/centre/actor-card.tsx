// An actor that has no statechart: what it is, what it works on, and how it ended.
import type { ActorEntry } from '../../../trace/format.ts'
import styles from './centre.module.css'
import { describe } from '../state/json-nodes.ts'
import { useDetail } from '../model/use-detail.ts'
import { clockTime } from '../text.ts'
import { useConsole } from '../use-console.ts'

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
  /** Its view that is shown; -1 for none. */
  readonly seq: number
}

/** The card in place of a chart. */
export function ActorCard({ entry, seq }: ActorCardProps) {
  const { timeline, details } = useConsole()
  const { record, isStale } = useDetail(details, seq)
  const [what, how] = KINDS[entry.kind]
  const status = seq < 0 ? 'not started' : timeline.status(seq)
  const ended = seq >= 0 && status !== 'active'
  const began = timeline.t(timeline.born(entry.index))
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
        <dd>{status === 'active' ? 'running' : status}</dd>
        {seq < 0 ? null : (
          <>
            <dt>started</dt>
            <dd>{clockTime(began)}</dd>
          </>
        )}
        {ended ? (
          <>
            <dt>ran for</dt>
            <dd>{clockTime(timeline.t(seq) - began)} s</dd>
          </>
        ) : null}
        {isStale || record?.output === undefined ? null : (
          <>
            <dt>output</dt>
            <dd>{describe(record.output).preview}</dd>
          </>
        )}
        {isStale || record?.error === undefined ? null : (
          <>
            <dt>error</dt>
            <dd>{describe(record.error).preview}</dd>
          </>
        )}
      </dl>
    </div>
  )
}
