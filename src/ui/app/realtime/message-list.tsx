// What went over a topic, newest at the bottom; any number of entries costs the same.
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp, Dot as DotIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Spinner } from '../../widgets/spinner.tsx'
import { formatMs } from '../functions/answer-words.ts'
import { useWentUp } from '../functions/use-went-up.ts'
import { wallTime } from '../wall-time.ts'
import { spoken, type Entry } from './message-log.ts'
import styles from './realtime.module.css'

const ROW = 26

const clock = (at: number) => {
  const time = wallTime(at)
  return `${time.toLocaleTimeString('en-GB')}.${String(time.getMilliseconds()).padStart(3, '0')}`
}

const ICONS = { in: ArrowDown, out: ArrowUp, note: DotIcon } as const
const DIRECTIONS = { in: 'received', out: 'sent', note: 'about the channel' } as const

export interface MessageListProps {
  readonly topic: string
  readonly entries: readonly Entry[]
  readonly follows: boolean
  readonly onFollow: (follows: boolean) => void
  readonly chosen: number | undefined
  readonly onChoose: (id: number) => void
}

/** Follows the newest unless the reader went up; arrow keys choose, and the chosen one is shown whole beside. */
export function MessageList({ topic, entries, follows, onFollow, chosen, onChoose }: MessageListProps) {
  const list = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW,
    getItemKey: index => entries[index]?.id ?? index,
    overscan: 10,
  })
  const newest = entries.at(-1)?.id
  const onScroll = useWentUp(
    () => onFollow(false),
    () => onFollow(true),
  )
  useEffect(() => {
    if (follows && entries.length > 0) rows.scrollToIndex(entries.length - 1, { align: 'end' })
  }, [follows, newest, entries.length, rows])
  const choose = (index: number) => {
    const entry = entries[Math.max(0, Math.min(entries.length - 1, index))]
    if (!entry) return
    onChoose(entry.id)
    onFollow(entry.id === newest)
    rows.scrollToIndex(entries.indexOf(entry))
  }
  const at = entries.findIndex(({ id }) => id === chosen)
  return (
    <div
      ref={list}
      className={styles.messages}
      role="listbox"
      aria-label={`Messages in ${topic}`}
      aria-activedescendant={at < 0 ? undefined : `message-${chosen}`}
      tabIndex={0}
      data-own-keys
      onScroll={onScroll}
      onClick={({ target }) => {
        const row = target instanceof Element ? target.closest('[role=option]') : null
        const index = Number(row?.getAttribute('data-index') ?? NaN)
        if (!Number.isNaN(index)) choose(index)
      }}
      onKeyDown={event => {
        const steps: Readonly<Record<string, number>> = {
          ArrowDown: (at < 0 ? -1 : at) + 1,
          ArrowUp: (at < 0 ? entries.length : at) - 1,
          Home: 0,
          End: entries.length - 1,
        }
        const next = steps[event.key]
        if (next === undefined) return
        event.preventDefault()
        choose(next)
      }}
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative' }} role="presentation">
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const entry = entries[index]
          return entry === undefined ? null : (
            <Row key={key} entry={entry} index={index} start={start} isChosen={entry.id === chosen} />
          )
        })}
      </div>
    </div>
  )
}

interface RowProps {
  readonly entry: Entry
  readonly index: number
  readonly start: number
  readonly isChosen: boolean
}

function Row({ entry, index, start, isChosen }: RowProps) {
  const Icon = ICONS[entry.direction]
  const words = entry.kind === 'broadcast' ? spoken(entry.payload) : undefined
  return (
    <div
      id={`message-${entry.id}`}
      data-index={index}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={styles.message}
      data-direction={entry.direction}
      data-phase={entry.phase}
      style={{ transform: `translateY(${start}px)` }}
    >
      <span className={styles.at}>{clock(entry.at)}</span>
      <Icon size={13} aria-label={DIRECTIONS[entry.direction]} className={styles.direction} />
      <span className={styles.event} data-kind={entry.kind}>
        {entry.event}
      </span>
      <span className={styles.text}>
        {words?.from === undefined ? null : <strong className={styles.from}>{words.from}</strong>}
        {words === undefined ? <span className={styles.value}>{entry.text}</span> : <span>{words.text}</span>}
      </span>
      <State entry={entry} />
    </div>
  )
}

function State({ entry: { phase, problem, latency } }: { readonly entry: Entry }) {
  if (phase === 'sending') return <Spinner size={11} />
  if (phase === 'failed')
    return (
      <span className={styles.failed} title={problem}>
        not sent
      </span>
    )
  return <span className={styles.latency}>{latency === undefined ? '' : formatMs(latency)}</span>
}
