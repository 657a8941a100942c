// Timing of a call.
import { formatMs } from '../../../services/workbench/text/index.ts'
import type { CallState, Head } from '../../../services/workbench/functions/index.ts'
import styles from './functions.module.css'
import { formatSize } from '../../../machines/index.ts'

interface Fact {
  readonly name: string
  readonly value: string
  /** Start and end as shares of the total, from 0 to 1. */
  readonly bar?: readonly [from: number, to: number]
}

function factsOf(call: CallState, head: Head): readonly Fact[] {
  if (call.phase !== 'done' && call.phase !== 'failed' && call.phase !== 'canceled') return []
  const timings = call.phase === 'done' ? call.timings : undefined
  const { duration } = call
  const share = (ms: number) => (duration === 0 ? 0 : Math.min(1, Math.max(0, ms / duration)))
  const facts: Fact[] = [
    { name: 'Time to response start', value: formatMs(head.at), bar: [0, share(head.at)] },
    { name: 'Total', value: formatMs(duration), bar: [share(head.at), 1] },
  ]
  if (!timings) return facts
  const before = Math.max(0, duration - timings.waiting - timings.download)
  return [
    ...facts,
    { name: 'Queued', value: formatMs(before), bar: [0, share(before)] },
    {
      name: 'Time to first byte',
      value: formatMs(timings.waiting),
      bar: [share(before), share(before + timings.waiting)],
    },
    {
      name: 'Download',
      value: formatMs(timings.download),
      bar: [share(before + timings.waiting), 1],
    },
    ...(timings.transferred > 0 ? [{ name: 'Transferred', value: formatSize(timings.transferred) }] : []),
    ...(timings.protocol === '' ? [] : [{ name: 'Protocol', value: timings.protocol }]),
  ]
}

/** Client measurements, followed by the browser's, if the backend allows them. */
export function ResponseTimes({ call, head }: { readonly call: CallState; readonly head: Head }) {
  const facts = factsOf(call, head)
  if (facts.length === 0) return <p className={styles.hint}>Available when the response is complete.</p>
  return (
    <dl className={styles.times}>
      {facts.map(({ name, value, bar }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          <span className={styles.timeBar} aria-hidden>
            {bar === undefined ? null : (
              <span
                style={{ left: `${bar[0] * 100}%`, width: `${Math.max(0.5, (bar[1] - bar[0]) * 100)}%` }}
              />
            )}
          </span>
        </div>
      ))}
    </dl>
  )
}
