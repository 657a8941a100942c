// The messages of a topic, newest at the bottom.
import { useEffect, useRef } from 'react'
import { EmptyState } from '../../widgets/state.tsx'
import { Spinner } from '../../widgets/spinner.tsx'
import type { Message } from './conversation.ts'
import styles from './realtime.module.css'

const clock = (at: string | undefined) => (at === undefined ? '' : new Date(at).toLocaleTimeString('en-GB'))

function State({ message }: { readonly message: Message }) {
  if (message.phase === 'sending') return <Spinner size={11} />
  if (message.phase === 'failed') return <span className={styles.failed}>not sent: {message.problem}</span>
  return null
}

/** Follows the newest message unless the reader scrolled up. */
export function MessageList({
  messages,
  topic,
}: {
  readonly messages: readonly Message[]
  readonly topic: string
}) {
  const list = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const newest = messages.at(-1)?.id
  useEffect(() => {
    if (newest !== undefined && follows.current) list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [newest])
  return (
    <div
      ref={list}
      className={styles.messages}
      role="log"
      aria-label={`Messages in ${topic}`}
      onScroll={event => {
        const { scrollHeight, scrollTop, clientHeight } = event.currentTarget
        follows.current = scrollHeight - scrollTop - clientHeight < 40
      }}
    >
      {messages.length === 0 ? (
        <EmptyState title="Nothing was said yet">
          Messages reach whoever is here now; none are kept.
        </EmptyState>
      ) : (
        messages.map(message => (
          <p key={message.id} className={styles.message} data-phase={message.phase}>
            <time className={styles.at} dateTime={message.at}>
              {clock(message.at)}
            </time>
            <strong className={styles.from}>{message.from}</strong>
            <span className={styles.text}>
              {message.text} <State message={message} />
            </span>
          </p>
        ))
      )}
    </div>
  )
}
