// The log of a topic with filters, pause and export.
import { Download, Eraser, Pause, Play } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { Select } from '../../widgets/select.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { formatCount, wallTime } from '../../../services/workbench/text/index.ts'
import { MessageDetail } from './message-detail.tsx'
import { MessageList } from './message-list.tsx'
import { MessageAnnouncer } from './message-announcer.tsx'
import {
  ALL,
  type Entry,
  exportLines,
  type LogFilter,
  matching,
  type TopicState,
  type TopicStore,
} from '../../../services/workbench/realtime/index.ts'
import styles from './realtime.module.css'

const DIRECTIONS = [
  { id: 'all', label: 'Both ways' },
  { id: 'in', label: 'Received' },
  { id: 'out', label: 'Sent' },
  { id: 'note', label: 'Channel' },
] as const

const KINDS = [
  { id: 'all', label: 'All kinds' },
  { id: 'broadcast', label: 'Messages' },
  { id: 'change', label: 'Row changes' },
  { id: 'presence', label: 'Presence' },
  { id: 'system', label: 'System' },
  { id: 'state', label: 'States' },
] as const

export interface MessagePaneProps {
  readonly store: TopicStore
  readonly state: TopicState
}

/** While paused, new entries are still received and counted, and shown on resume. */
function usePaused({ log }: TopicStore, version: number) {
  const [heldAt, setHeldAt] = useState<number>()
  const held = useMemo(() => {
    // The log grows in place, so each version is a new list.
    const all = version < 0 ? [] : log.entries
    if (heldAt === undefined) return { shown: all.slice(), waiting: 0 }
    const shown = all.filter(({ id }) => id <= heldAt)
    return { shown, waiting: all.length - shown.length }
  }, [log, version, heldAt])
  return {
    ...held,
    isHeld: heldAt !== undefined,
    toggle: () => setHeldAt(heldAt === undefined ? (log.entries.at(-1)?.id ?? 0) : undefined),
  }
}

export function MessagePane({ store, state }: MessagePaneProps) {
  const { shown, waiting, isHeld, toggle } = usePaused(store, state.version)
  const [filter, setFilter] = useState<LogFilter>(ALL)
  const [chosen, setChosen] = useState<number>()
  const [follows, setFollows] = useState(true)
  const found = useMemo(() => matching(shown, filter), [shown, filter])
  const entry = chosen === undefined ? undefined : found.find(({ id }) => id === chosen)
  const isNarrowed = found.length < shown.length
  return (
    <section className={styles.history} aria-label="Messages">
      <div className={styles.tools} role="toolbar" aria-label="History">
        <TextField
          label="Filter history"
          hideLabel
          value={filter.words}
          onChange={text => setFilter({ ...filter, words: text })}
          placeholder="Filter"
          autoComplete="off"
        />
        <Select
          label="Direction"
          hideLabel
          options={DIRECTIONS}
          value={filter.direction}
          onChange={direction => setFilter({ ...filter, direction })}
        />
        <Select
          label="Kind"
          hideLabel
          options={KINDS}
          value={filter.kind}
          onChange={kind => setFilter({ ...filter, kind })}
        />
        <Button
          size="s"
          icon={isHeld ? <Play size={12} aria-hidden /> : <Pause size={12} aria-hidden />}
          onPress={toggle}
        >
          {isHeld ? `Resume${waiting === 0 ? '' : ` · ${formatCount(waiting)} new`}` : 'Pause'}
        </Button>
        {follows ? null : (
          <Button size="s" variant="quiet" onPress={() => setFollows(true)}>
            Newest
          </Button>
        )}
        <span className={styles.count}>
          {formatCount(found.length)}
          {isNarrowed ? ` of ${formatCount(shown.length)}` : ''}
          {store.log.dropped > 0 ? ` · ${formatCount(store.log.dropped)} older dropped` : ''}
        </span>
        <Button
          size="s"
          variant="quiet"
          icon={<Download size={13} aria-hidden />}
          isDisabled={found.length === 0}
          onPress={() => save(store.topic, found)}
        >
          Export
        </Button>
        <Button
          size="s"
          variant="quiet"
          icon={<Eraser size={13} aria-hidden />}
          isDisabled={shown.length === 0}
          onPress={store.clear}
        >
          Clear
        </Button>
      </div>
      <div className={styles.logFrame} role="log" aria-live="off" aria-label={`History of ${store.topic}`}>
        {found.length === 0 ? (
          <EmptyState title={isNarrowed ? 'No matches' : 'No messages yet'}>
            {isNarrowed
              ? 'Change the search text or the direction.'
              : 'Messages reach all clients that are joined now; they appear here as they arrive.'}
          </EmptyState>
        ) : (
          <MessageList
            topic={store.topic}
            entries={found}
            follows={follows}
            onFollow={setFollows}
            chosen={chosen}
            onChoose={setChosen}
          />
        )}
      </div>
      <MessageAnnouncer entries={found} />
      {entry === undefined ? null : (
        <MessageDetail
          entry={entry}
          onAgain={againOf(store, state, entry)}
          onClose={() => setChosen(undefined)}
        />
      )}
    </section>
  )
}

const againOf = (store: TopicStore, { isIn }: TopicState, entry: Entry) =>
  entry.direction === 'out' && isIn ? () => void store.send(entry.event, entry.payload) : undefined

const save = (topic: string, entries: readonly Entry[]) => {
  const lines = exportLines(entries, at => wallTime(at).toISOString())
  saveAs(
    new Blob([lines], { type: 'application/x-ndjson' }),
    `${topic.replaceAll(/[^\w-]+/g, '-')}.messages.ndjson`,
  )
}
