// A function's answer: status, duration, headers, body.
import { EmptyState } from '../../widgets/state.tsx'
import { Chip, type Tone } from '../../widgets/pill.tsx'
import { Notice } from '../shell/page.tsx'
import type { FunctionReply } from './call.ts'
import styles from './functions.module.css'

const toneOf = (status: number | undefined): Tone => {
  if (status === undefined || status >= 400) return 'fail'
  return status < 300 ? 'ok' : 'pending'
}

/** The last answer stays until the next one is there. */
export function Reply({
  reply,
  isPending,
}: {
  readonly reply: FunctionReply | undefined
  readonly isPending: boolean
}) {
  if (reply === undefined)
    return (
      <section className={styles.reply} aria-label="Answer">
        <EmptyState title={isPending ? 'Waiting for the answer…' : 'No answer yet'}>
          {isPending ? null : 'Status, headers, body and duration appear here, of failures too.'}
        </EmptyState>
      </section>
    )
  return (
    <section className={styles.reply} aria-label="Answer" aria-busy={isPending} data-stale={isPending}>
      <output className={styles.replyHead}>
        <Chip tone={toneOf(reply.status)}>{reply.status ?? 'no answer'}</Chip>
        <span className={styles.duration}>{Math.round(reply.duration).toLocaleString('en')} ms</span>
      </output>
      {reply.problem === undefined ? null : <Notice tone="fail">{reply.problem}</Notice>}
      {reply.headers.length === 0 ? null : (
        <dl className={styles.headers}>
          {reply.headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {reply.status === undefined ? null : (
        <pre className={styles.body}>{reply.body === '' ? '(empty body)' : reply.body}</pre>
      )}
    </section>
  )
}
