// Where the time of a call went.
import { formatMs, formatSize } from '../format.ts'
import type { CallState, Head } from './call-state.ts'
import styles from './functions.module.css'

interface Fact {
  readonly name: string
  readonly value: string
  /** From 0 to 1, of the whole. */
  readonly bar?: readonly [from: number, to: number]
}

function factsOf(call: CallState, head: Head): readonly Fact[] {
  if (call.phase !== 'done' && call.phase !== 'failed' && call.phase !== 'stopped') return []
  const line = call.phase === 'done' ? call.line : undefined
  const { duration } = call
  const share = (ms: number) => (duration === 0 ? 0 : Math.min(1, Math.max(0, ms / duration)))
  const facts: Fact[] = [
    { name: 'Until the answer began', value: formatMs(head.at), bar: [0, share(head.at)] },
    { name: 'Until all had come', value: formatMs(duration), bar: [share(head.at), 1] },
  ]
  if (!line) return facts
  const before = Math.max(0, duration - line.waiting - line.download)
  return [
    ...facts,
    { name: 'Before it was on the line', value: formatMs(before), bar: [0, share(before)] },
    {
      name: 'Until the first byte',
      value: formatMs(line.waiting),
      bar: [share(before), share(before + line.waiting)],
    },
    {
      name: 'From the first byte to the last',
      value: formatMs(line.download),
      bar: [share(before + line.waiting), 1],
    },
    ...(line.transferred > 0 ? [{ name: 'On the line', value: formatSize(line.transferred) }] : []),
    ...(line.protocol === '' ? [] : [{ name: 'Protocol', value: line.protocol }]),
  ]
}

/** What the client measured, and below it what the browser did, where the host lets it tell. */
export function AnswerTimes({ call, head }: { readonly call: CallState; readonly head: Head }) {
  const facts = factsOf(call, head)
  if (facts.length === 0) return <p className={styles.hint}>Known once all has come.</p>
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
