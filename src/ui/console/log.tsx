// The log: a window over all records, following the end while nobody looks elsewhere.
import { useVirtualizer } from '@tanstack/react-virtual'
import { SearchX, ScrollText } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react'
import type { ViewRecord } from '../../trace/format.ts'
import { Button } from '../widgets/button.tsx'
import { EmptyState } from '../widgets/state.tsx'
import type { Selection } from './model/selection.ts'
import type { Command } from './keys.ts'
import { LogRow } from './log-row.tsx'
import styles from './log.module.css'
import type { Followed } from './use-trace.ts'

const ROW = 24
const NEAR_END = ROW * 2

export interface LogProps {
  readonly followed: Followed
  readonly selection: Selection
  readonly onSelect: (view: ViewRecord) => void
  readonly onCommand: (command: Command) => void
  readonly onClearFilter: () => void
}

/** Shows the records that match the filter; a click selects, arrows and J/K step. */
export function Log({ followed, selection, onSelect, onCommand, onClearFilter }: LogProps) {
  const { source, index, filter, size } = followed
  const gridId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: filter.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 4,
    scrollPaddingStart: ROW * 2,
    scrollPaddingEnd: ROW * 2,
  })
  const onScroll = useFollowing(scroller, filter.length, selection, () => {
    const row = filter.rowOf(selection.seq)
    if (row >= 0) rows.scrollToIndex(row)
  })
  const rowId = (seq: number) => `${gridId}-${seq}`
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    onCommand(event.key === 'ArrowDown' ? 'next' : 'previous')
  }
  const onClick = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('[data-seq]') : null
    const view = source.views[Number(row?.getAttribute('data-seq') ?? -1)]
    if (view) onSelect(view)
  }
  if (size === 0) return <Nothing live={source.live} />
  if (filter.length === 0 && filter.scanned === size) {
    return <NoMatch query={filter.query.text} onClear={onClearFilter} />
  }
  const items = rows.getVirtualItems()
  const drawn = items.some(item => filter.seqAt(item.index) === selection.seq)
  return (
    <div
      ref={scroller}
      onScroll={onScroll}
      className={styles.log}
      role="grid"
      aria-label="Event log"
      aria-rowcount={filter.length + 1}
      tabIndex={0}
      aria-activedescendant={drawn ? rowId(selection.seq) : undefined}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <LogHead />
      <div role="rowgroup" className={styles.sheet} style={{ height: rows.getTotalSize() }}>
        {items.map(item => {
          const seq = filter.seqAt(item.index)
          const view = source.views[seq]
          return view ? (
            <LogRow
              key={seq}
              id={rowId(seq)}
              source={source}
              view={view}
              before={source.views[index.previous(seq)]}
              row={item.index}
              top={item.start}
              selected={seq === selection.seq}
              future={seq > selection.at}
            />
          ) : null
        })}
      </div>
    </div>
  )
}

function LogHead() {
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      {(['seq', 'time', 'actor', 'event', 'change', 'cause'] as const).map(column => (
        <span key={column} role="columnheader" className={styles[column]}>
          {column === 'change' ? 'state' : column}
        </span>
      ))}
    </div>
  )
}

/** Scrolls to the end as the log grows, until the user scrolls away; and to the cursor when it moves. */
function useFollowing(
  scroller: RefObject<HTMLDivElement | null>,
  length: number,
  { following, seq, source }: Selection,
  toCursor: () => void,
) {
  const atEnd = useRef(true)
  const lastTop = useRef(0)
  useEffect(() => {
    if (following) atEnd.current = true
  }, [following, source])
  useEffect(() => {
    const element = scroller.current
    if (element && following && atEnd.current) element.scrollTo({ top: element.scrollHeight })
  }, [scroller, length, following, source])
  // Moving the cursor scrolls; growth of the log must not.
  const reveal = useEffectEvent(toCursor)
  useEffect(() => {
    if (!following) reveal()
  }, [following, seq])
  return () => {
    const element = scroller.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    // The log may have grown since it was scrolled to its end: only going up leaves the end.
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) atEnd.current = true
    else if (scrollTop < lastTop.current) atEnd.current = false
    lastTop.current = scrollTop
  }
}

function Nothing({ live }: { readonly live: boolean }) {
  return (
    <EmptyState icon={<ScrollText size={20} aria-hidden />} title="No events yet">
      {live ? 'They appear here as the machines move.' : 'This recording holds no events.'}
    </EmptyState>
  )
}

function NoMatch({ query, onClear }: { readonly query: string; readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX size={20} aria-hidden />}
      title={`Nothing matches “${query}”`}
      action={
        <Button size="s" onPress={onClear}>
          Clear the filter
        </Button>
      }
    />
  )
}
