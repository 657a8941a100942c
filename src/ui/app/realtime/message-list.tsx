// A topic's log, newest at the bottom; virtualized.
import { ArrowDown, ArrowUp, Dot as DotIcon } from 'lucide-react'
import { Spinner } from '../../widgets/spinner.tsx'
import { FollowingList, type RowFrame } from '../following/following-list.tsx'
import { formatExactTime, formatMs, wallTime } from '../../../services/workbench/text/index.ts'
import { type Entry, spoken } from '../../../services/workbench/realtime/index.ts'
import styles from './realtime.module.css'

const ROW = 26

const ICONS = { in: ArrowDown, out: ArrowUp, note: DotIcon } as const
const DIRECTIONS = { in: 'received', out: 'sent', note: 'channel event' } as const

export interface MessageListProps {
  readonly topic: string
  readonly entries: readonly Entry[]
  readonly follows: boolean
  readonly onFollow: (follows: boolean) => void
  readonly chosen: number | undefined
  readonly onChoose: (id: number) => void
}

/**
 * Follows the newest entry unless the user scrolled up; arrow keys select, and the selected entry is shown in
 * full next to the list.
 */
export function MessageList({ topic, entries, follows, onFollow, chosen, onChoose }: MessageListProps) {
  return (
    <FollowingList
      label={`Messages in ${topic}`}
      className={styles.messages}
      items={entries}
      idOf={({ id }) => `message-${id}`}
      height={ROW}
      follows={follows}
      onFollow={onFollow}
      chosen={entries.findIndex(({ id }) => id === chosen)}
      onChoose={index => {
        const entry = entries[index]
        if (!entry) return
        onChoose(entry.id)
        onFollow(index === entries.length - 1)
      }}
    >
      {(entry, frame) => <Row key={frame.id} entry={entry} frame={frame} />}
    </FollowingList>
  )
}

function Row({ entry, frame }: { readonly entry: Entry; readonly frame: RowFrame }) {
  const Icon = ICONS[entry.direction]
  const words = entry.kind === 'broadcast' ? spoken(entry.payload) : undefined
  return (
    <div {...frame} className={styles.message} data-direction={entry.direction} data-phase={entry.phase}>
      <span className={styles.at}>{formatExactTime(wallTime(entry.at))}</span>
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
