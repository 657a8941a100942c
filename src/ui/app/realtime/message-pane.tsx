// The log of a topic with filters, pause and export.
import { Download, Eraser, Pause, Play, Copy, RotateCcw, X } from 'lucide-react'
import { useMemo, useState, useEffect, useRef } from 'react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { Select } from '../../widgets/select.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { useTransient } from '../../widgets/time.ts'
import { formatCount, wallTime, formatMs, hexLines } from '../../../services/workbench/text/index.ts'
import { MessageList } from './message-list.tsx'
import {
  ALL,
  announcementOf,
  bytesOf,
  type ChangedRow,
  type Entry,
  exportLines,
  fieldChanges,
  isChangedRow,
  type LogFilter,
  matching,
  type TopicState,
  type TopicStore,
} from '../../../services/workbench/realtime/index.ts'
import styles from './realtime.module.css'
import { VisuallyHidden } from 'react-aria-components'
import { copyText } from '../shell/copy-text.ts'
import { Notice } from '../shell/page.tsx'

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

/** Minimum pause between announcements in ms. */
const QUIET_MS = 2_000

/**
 * Announces only messages from others; the list itself is not live, since its rows change while scrolling.
 */
function MessageAnnouncer({ entries }: { readonly entries: readonly Entry[] }) {
  const latest = useRef(entries)
  const announced = useRef(entries.at(-1)?.id ?? 0)
  const [news, setNews] = useState('')
  const newest = entries.at(-1)?.id ?? 0
  useEffect(() => {
    latest.current = entries
  })
  const [isQuiet = false, setQuiet] = useTransient<true>(QUIET_MS)
  useEffect(() => {
    if (isQuiet || newest <= announced.current) return
    const text = announcementOf(latest.current, announced.current)
    announced.current = newest
    if (text === undefined) return
    setNews(text)
    setQuiet(true)
  }, [isQuiet, newest, setQuiet])
  return (
    <VisuallyHidden>
      <output>{news}</output>
    </VisuallyHidden>
  )
}

const SHOWN_BYTES = 2_048
const SHOWN_TEXT = 100_000

const shownOf = (payload: unknown): string => {
  const bytes = bytesOf(payload)
  if (bytes) return hexLines(bytes.subarray(0, SHOWN_BYTES)).join('\n')
  if (payload === undefined) return '(nothing)'
  return typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2)
}

interface MessageDetailProps {
  readonly entry: Entry
  /** Set for the user's own messages while they can be sent. */
  readonly onAgain: (() => void) | undefined
  readonly onClose: () => void
}

/** What changed in a row, where the backend sent the previous values. */
function RowDiff({ change }: { readonly change: ChangedRow }) {
  const fields = fieldChanges(change)
  if (change.type !== 'UPDATE') return null
  if (fields === undefined)
    return (
      <p className={styles.faint}>
        The previous values were not sent: the table needs <code>replica identity full</code>.
      </p>
    )
  return (
    <dl className={styles.changes} aria-label="Changed fields">
      {fields.map(({ name, before, after }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <del>{before}</del> → <ins>{after}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** One log entry in full: time, direction, payload and result. */
function MessageDetail({ entry, onAgain, onClose }: MessageDetailProps) {
  const bytes = bytesOf(entry.payload)
  const text = shownOf(entry.payload)
  const rest = bytes && bytes.length > SHOWN_BYTES ? `\n… ${bytes.length - SHOWN_BYTES} bytes more` : ''
  return (
    <section className={styles.detail} aria-label="Message">
      <header className={styles.detailHead}>
        <strong className={styles.detailTitle}>{entry.event}</strong>
        <time className={styles.faint} dateTime={wallTime(entry.at).toISOString()}>
          {wallTime(entry.at).toISOString()}
        </time>
        {entry.latency === undefined ? null : (
          <span className={styles.faint}>
            {entry.kind === 'change'
              ? `${formatMs(entry.latency)} after the write, measured with two clocks`
              : `acknowledged by the server after ${formatMs(entry.latency)}`}
          </span>
        )}
        <span className={styles.detailActions}>
          {onAgain ? (
            <Button size="s" icon={<RotateCcw size={12} aria-hidden />} onPress={onAgain}>
              Send again
            </Button>
          ) : null}
          {bytes ? (
            <Button
              size="s"
              icon={<Download size={13} aria-hidden />}
              onPress={() => saveAs(new Blob([bytes]), `${entry.event.replaceAll(/[^\w-]+/g, '-')}.bin`)}
            >
              Save
            </Button>
          ) : null}
          <IconButton label="Copy payload" size="s" onPress={() => void copyText(text, 'Copied')}>
            <Copy size={13} />
          </IconButton>
          <IconButton label="Close message" size="s" onPress={onClose}>
            <X size={14} />
          </IconButton>
        </span>
      </header>
      {entry.problem === undefined ? null : <Notice tone="fail">{entry.problem}</Notice>}
      {isChangedRow(entry.payload) ? <RowDiff change={entry.payload} /> : null}
      <textarea
        readOnly
        rows={Math.min(10, text.split('\n', 11).length + 1)}
        className={styles.payload}
        aria-label="Payload"
        value={text.slice(0, SHOWN_TEXT) + rest}
      />
    </section>
  )
}
