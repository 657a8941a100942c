// The selected step's event: sender, receiver, effect and payload.
import { use, useMemo } from 'react'
import type { StepRecord } from '../../../trace/index.ts'
import { shortPath } from '../actor-names.ts'
import { clockTime, count } from '../text.ts'
import { useConsole } from '../use-console.ts'
import parts from '../canvas/parts.module.css'
import styles from './state.module.css'
import { BesideEventContext } from './beside-event.ts'
import { ValuePane } from './value-pane.tsx'

export function EventView({ record }: { readonly record: StepRecord }) {
  const { timeline, header } = useConsole()
  const beside = use(BesideEventContext)
  const { seq, event } = record
  const payload = useMemo(() => {
    const { type: _, ...rest } = event
    return { event: rest }
  }, [event])
  const isEmpty = Object.keys(payload.event).length === 0
  const fault = timeline.injected(seq) ? timeline.faultOf(seq) : undefined
  return (
    <div className={parts.column}>
      <div className={styles.head}>
        <h2 className={styles.heading}>{event.type}</h2>
        <dl className={styles.facts}>
          <dt>event</dt>
          <dd>
            {count(seq)} at {clockTime(record.t)}
          </dd>
          <dt>from</dt>
          <dd>
            <ActorName actor={record.from} />
          </dd>
          <dt>to</dt>
          <dd>
            <ActorName actor={record.actor} />
          </dd>
          {record.changed ? null : (
            <>
              <dt>effect</dt>
              <dd>none: state and context did not change</dd>
            </>
          )}
          {fault === undefined ? null : (
            <>
              <dt>fault</dt>
              <dd>{fault}</dd>
            </>
          )}
        </dl>
        {beside(event, header)}
      </div>
      {isEmpty ? (
        <p className={styles.pane}>No payload.</p>
      ) : (
        <ValuePane value={payload} label="Event payload" />
      )}
    </div>
  )
}

function ActorName({ actor }: { readonly actor: number | undefined }) {
  const { timeline, go } = useConsole()
  const entry = actor === undefined ? undefined : timeline.actors[actor]
  if (!entry) return actor === undefined ? 'outside' : '?'
  return (
    <button
      type="button"
      className={styles.link}
      onClick={() => go({ type: 'actor', actor: entry.index })}
      title={entry.path}
    >
      {shortPath(entry)}
    </button>
  )
}
