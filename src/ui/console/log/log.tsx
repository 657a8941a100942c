// The log: a virtualized list of matching events that follows the end until the user selects another
// position.
import {
  useCallback,
  useId,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  useMemo,
  useReducer,
  useEffect,
  useEffectEvent,
  type RefObject,
  type CSSProperties,
} from 'react'
import { usePointed } from '../commands/context-menu.tsx'
import { useKeyNotes } from '../commands/use-commands.ts'
import type { Selection } from '../model/place.ts'
import type { Command } from '../place-commands.ts'
import { useRowWindow } from '../use-row-window.ts'
import { GroupRow, LogRow, type LogRowProps } from './log-row.tsx'
import { LogHead, NoMatch, Nothing, RowMenu } from './log-parts.tsx'
import styles from './log.module.css'
import { type Item, RowGroups } from './row-groups.ts'
import { clockTime, count } from '../text.ts'
import { useBookmarks, useChecks, useConsole } from '../use-console.ts'
import type { Timeline } from '../../../trace/index.ts'
import type { RowFilter } from '../model/row-filter.ts'

const ROW = 24
const KEYS = [
  {
    id: 'log.arrows',
    section: 'Move',
    keys: ['ArrowUp', 'ArrowDown'],
    text: 'In the log: previous and next event',
  },
  {
    id: 'log.menu',
    section: 'Move',
    keys: ['Shift+F10'],
    text: 'In the log: actions on the event',
  },
] as const
const GROUPED_KEYS = [
  ...KEYS,
  {
    id: 'log.fold',
    section: 'Move',
    keys: ['ArrowLeft', 'ArrowRight'],
    text: 'In the log: collapse and expand a group',
  },
] as const

/** Shows the events that match the query; a click selects, arrows and J/K step, groups collapse. */
export function Log() {
  const { trace, timeline, filter, size, selection, place, pick: onSelect, run: onCommand, go } = useConsole()
  const isGrouped = place.layout.grouped
  useKeyNotes(isGrouped ? GROUPED_KEYS : KEYS)
  const gridId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useLogRows(timeline, filter, isGrouped)
  const { marks, areThere } = useRowMarks()
  const menu = usePointed(
    'data-seq',
    useCallback(seq => onSelect(Number(seq)), [onSelect]),
  )
  const group = useCallback((grouped: boolean) => go({ type: 'layout', layout: { grouped } }), [go])
  const view = useRowWindow({ count: rows.length, size: ROW, scroller, head: ROW })
  const hasCursor = filter.scanned > selection.seq
  const shown = { length: rows.length, query: filter.query.text, hasCursor }
  const onScroll = useFollowing(scroller, shown, selection, {
    toEnd: () => view.reveal(rows.length - 1),
    toCursor: () => view.reveal(rows.rowOf(selection.seq)),
  })
  if (size === 0) return <Nothing live={trace.live} />
  if (filter.length === 0 && filter.scanned >= size)
    return <NoMatch query={filter.query.text} onClear={() => go({ type: 'query', query: '' })} />
  const idOf = ({ kind, group, seq }: Item) => `${gridId}-${kind === 'group' ? `g${group}` : seq}`
  const current = rows.at(rows.rowOf(selection.seq))
  const isCurrent = (item: Item) => item.kind === current?.kind && item.seq === current.seq
  const items = view.items.flatMap(row => {
    const item = rows.at(row.index)
    return item ? [{ item, ...row }] : []
  })
  const drawn = items.find(({ item }) => isHeld(item, selection, rows) && isCurrent(item))
  const onClick = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('[data-seq],[data-group]') : null
    const [seq, group] = [row?.getAttribute('data-seq'), row?.getAttribute('data-group')]
    if (seq) onSelect(Number(seq))
    else if (group) rows.fold(Number(group), !rows.groups?.isOpen(Number(group)))
  }
  return (
    <div
      ref={scroller}
      onScroll={onScroll}
      className={styles.log}
      style={widthsOf(timeline, size, (areThere ? MARK : 0) + (isGrouped ? INDENT : 0))}
      role="grid"
      // Only rows of a tree can be expanded.
      {...(isGrouped && { role: 'treegrid' })}
      aria-label="Event log"
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      aria-activedescendant={drawn && idOf(drawn.item)}
      onKeyDown={event => onKey(event, rows, selection, { onSelect, onCommand })}
      onClick={onClick}
      onContextMenu={menu.onContextMenu}
    >
      <LogHead isGrouped={isGrouped} onGroup={group} groups={rows.groups?.groups} dropped={trace.dropped()} />
      <div role="rowgroup" className={styles.sheet} style={{ height: view.total }}>
        {items.map(({ item, index, start, slot }) =>
          item.kind === 'group' ? (
            <GroupRow
              key={slot}
              id={idOf(item)}
              timeline={timeline}
              group={item.group}
              first={item.seq}
              last={rows.groups?.lastOf(item.group) ?? item.seq}
              size={rows.groups?.sizeOf(item.group) ?? 1}
              isOpen={rows.groups?.isOpen(item.group) ?? false}
              selected={isCurrent(item) && isHeld(item, selection, rows)}
              row={index}
              top={start}
            />
          ) : (
            <LogRow
              key={slot}
              id={idOf(item)}
              timeline={timeline}
              seq={item.seq}
              row={index}
              top={start}
              inner={isGrouped}
              selected={item.seq === selection.seq}
              future={item.seq > selection.at}
              {...marks(item.seq)}
            />
          ),
        )}
      </div>
      <RowMenu open={menu.open} onClose={menu.close} />
    </div>
  )
}

/** A digit of the log's font, as a share of its size. */
const DIGIT = 0.61

/** Pixels next to the number: for an icon, and for the lines of a tree. */
const [MARK, INDENT] = [18, 16]

/** Number and time take as much room as the last, which has the longest; `beside` is next to the number. */
function widthsOf(timeline: Timeline, size: number, beside: number): CSSProperties {
  const widthOf = (text: string, more = 0) => `calc(${text.length * DIGIT}em + ${2 + more}px)`
  const last = size - 1
  const seq = widthOf(count(last), beside)
  return { '--seq': seq, '--time': widthOf(clockTime(timeline.t(last))) } as CSSProperties
}

/**
 * Whether the item is the selected event or the collapsed group that contains it: rows before a hidden one
 * are neither.
 */
function isHeld(item: Item, { seq }: Selection, { groups }: LogRows): boolean {
  return item.kind === 'event' ? item.seq === seq : seq <= (groups?.lastOf(item.group) ?? -1)
}

interface LogHandlers {
  readonly onSelect: (seq: number) => void
  readonly onCommand: (command: Command) => void
}

/** Up and down arrows move between rows; left and right collapse and expand. */
function onKey(event: KeyboardEvent, rows: LogRows, { seq }: Selection, handlers: LogHandlers): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const folds = { ArrowRight: true, ArrowLeft: false }[event.key]
  const { groups } = rows
  if (by !== undefined && !groups) handlers.onCommand(by > 0 ? 'next' : 'previous')
  else if (by !== undefined) {
    // The head of an expanded group represents its first event, which comes next anyway.
    const row = rows.rowOf(seq) + by
    const isOpenHead = (item: Item | undefined) => item?.kind === 'group' && groups?.isOpen(item.group)
    const next = isOpenHead(rows.at(row)) ? rows.at(row + by) : rows.at(row)
    if (next) handlers.onSelect(next.seq)
  } else if (folds !== undefined && groups) {
    const at = rows.at(rows.rowOf(seq))
    if (at) rows.fold(at.group, folds)
  } else return
  event.preventDefault()
}

type RowMarks = Pick<LogRowProps, 'note' | 'mark' | 'finding'>

const NONE: RowMarks = {}

/** Returns the marks of an event by number, and whether there are any. Rows without marks cost nothing. */
function useRowMarks(): { readonly marks: (seq: number) => RowMarks; readonly areThere: boolean } {
  const list = useBookmarks(all => all.list)
  const findings = useChecks(all => all.findings)
  const { a, b } = useConsole().place.marks
  const notes = useMemo(() => new Map(list.map(({ step, note }) => [step, note])), [list])
  const broken = useMemo(() => {
    const texts = new Map<number, string>()
    for (const { seq, name, text } of findings) {
      const before = texts.get(seq)
      texts.set(seq, `${before === undefined ? '' : `${before} `}${name}: ${text}`)
    }
    return texts
  }, [findings])
  const areThere = notes.size > 0 || broken.size > 0 || a !== undefined || b !== undefined
  const marks = useMemo(
    () => (seq: number) => {
      const mark = `${seq === a ? 'A' : ''}${seq === b ? 'B' : ''}`
      const [note, finding] = [notes.get(seq), broken.get(seq)]
      if (mark === '' && note === undefined && finding === undefined) return NONE
      return { note, finding, mark: mark || undefined }
    },
    [notes, broken, a, b],
  )
  return { marks, areThere }
}

interface LogRows {
  readonly length: number
  at(row: number): Item | undefined
  /** Returns the row of an event, or of the collapsed group that contains it; -1 for none. */
  rowOf(seq: number): number
  /** Undefined unless events are grouped. */
  readonly groups: RowGroups | undefined
  /** Expands or collapses a group. */
  readonly fold: (group: number, isOpen: boolean) => void
}

/** The rows of the log: one per matching event, or collapsible groups of them. */
function useLogRows(timeline: Timeline, filter: RowFilter, isGrouped: boolean): LogRows {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const groups = useMemo(
    () => (isGrouped ? new RowGroups(timeline, filter) : undefined),
    [timeline, filter, isGrouped],
  )
  groups?.advance()
  const at = (row: number): Item | undefined => {
    const seq = filter.seqAt(row)
    return seq < 0 ? undefined : { kind: 'event', group: -1, seq }
  }
  return {
    length: groups ? groups.length : filter.length,
    at: row => (groups ? groups.at(row) : at(row)),
    rowOf: seq => (groups ? groups.rowOf(seq) : filter.rowOf(seq)),
    groups,
    fold: (group, isOpen) => {
      groups?.set(group, isOpen)
      redraw()
    },
  }
}

/** Within this distance, the log counts as scrolled to its end. */
const NEAR_END = 48

interface Shown {
  /** Number of rows. */
  readonly length: number
  /** The query that the rows match. */
  readonly query: string
  /** Whether the rows reach to the selected event: a file can be read faster than its rows are taken. */
  readonly hasCursor: boolean
}

/** Both render the rows before they scroll: no frame is blank. */
interface Scrolling {
  readonly toEnd: () => void
  /** Scrolls the selected event into view. */
  readonly toCursor: () => void
}

/** Handles scrolling of the log. */
function useFollowing(
  scroller: RefObject<HTMLDivElement | null>,
  { length, query, hasCursor }: Shown,
  { following, seq, timeline }: Selection,
  { toEnd, toCursor }: Scrolling,
): () => void {
  const atEnd = useRef(true)
  const lastTop = useRef(0)
  useEffect(() => {
    if (following) atEnd.current = true
  }, [following, timeline])
  const follow = useEffectEvent(toEnd)
  useEffect(() => {
    if (following && atEnd.current) follow()
  }, [length, following, timeline])
  // Scroll when the cursor moves or the query changes, since it surrounds the cursor with other rows; not
  // when the log grows.
  const reveal = useEffectEvent(toCursor)
  useEffect(() => {
    if (!following && hasCursor) reveal()
  }, [following, seq, query, hasCursor])
  return () => {
    const element = scroller.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    // The log may have grown since it was scrolled to its end: only scrolling up leaves the end.
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) atEnd.current = true
    else if (scrollTop < lastTop.current) atEnd.current = false
    lastTop.current = scrollTop
  }
}
