// Card for an actor without a statechart: what it is, its input, and how it ended.
import type { ActorEntry } from '../../../trace/index.ts'
import styles from './center.module.css'
import { describe } from '../state/json-nodes.ts'
import { useDetail } from '../model/use-detail.ts'
import { clockTime } from '../text.ts'
import { useConsole } from '../use-console.ts'

const KINDS: Readonly<Record<ActorEntry['kind'], readonly [string, string]>> = {
  machine: ['A machine', 'This trace has no chart for it, so only its state and context are shown.'],
  promise: [
    'A promise',
    'Runs one task, such as a request, and resolves with a value or fails with an error.',
  ],
  callback: [
    'A callback',
    'Listens to an external source, such as a socket, and sends events while it runs.',
  ],
  observable: [
    'An observable',
    'Follows a stream of values, such as online and offline, and forwards each value.',
  ],
  other: ['Other logic', 'It has no chart. See its events and context.'],
}

export interface ActorCardProps {
  readonly entry: ActorEntry
  /** The actor's view that is shown; -1 for none. */
  readonly seq: number
}

/** Shown instead of a chart. */
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
