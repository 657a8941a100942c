// The log: a virtualized list of matching events that follows the end until the user selects another
// position.
import {
  useCallback,
  useId,
  useRef,
  type MouseEvent,
  useMemo,
  useEffect,
  useEffectEvent,
  type RefObject,
  type CSSProperties,
} from 'react'
import { usePointed } from '../commands/context-menu.tsx'
import { useKeyNotes } from '../commands/use-commands.ts'
import type { Selection } from '../model/place.ts'
import { useActorSentence } from '../tree/use-actor-sentence.ts'
import { useRowWindow } from '../use-row-window.ts'
import { GroupRow, LogRow, type LogRowProps } from './log-row.tsx'
import { LogHead, NoMatch, Nothing, RowMenu } from './log-parts.tsx'
import styles from './log.module.css'
import { onLogKey, useLogRows } from './log-rows.ts'
import type { Item } from './row-groups.ts'
import { clockTime, count } from '../text.ts'
import { useBookmarks, useChecks, useConsole } from '../use-console.ts'
import type { Timeline } from '../../../trace/index.ts'

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
const TREE_KEYS = [
  ...KEYS,
  {
    id: 'log.fold',
    section: 'Move',
    keys: ['ArrowLeft', 'ArrowRight'],
    text: 'In the log: collapse and expand a group, or the steps of an event',
  },
] as const

/** Shows the events that match the query; a click selects, arrows and J/K step, groups collapse. */
export function Log() {
  const { trace, timeline, filter, folding, size, selection, place, pick: onSelect, run, go } = useConsole()
  const isGrouped = place.layout.grouped
  const isTree = isGrouped || folding.isFolded
  useKeyNotes(isTree ? TREE_KEYS : KEYS)
  const gridId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const { marks, marked } = useRowMarks()
  const rows = useLogRows({ timeline, filter, folding, isGrouped, selection, marked })
  const aboutOf = useActorSentence()
  const menu = usePointed(
    'data-seq',
    useCallback(seq => onSelect(Number(seq)), [onSelect]),
  )
  const group = useCallback((grouped: boolean) => go({ type: 'layout', layout: { grouped } }), [go])
  const view = useRowWindow({ count: rows.length, size: ROW, scroller, head: ROW })
  const hasCursor = rows.scanned > selection.seq
  const shown = { length: rows.length, query: filter.query.text, hasCursor }
  const onScroll = useFollowing(scroller, shown, selection, {
    toEnd: () => view.reveal(rows.length - 1),
    toCursor: () => view.reveal(rows.rowOf(selection.seq)),
  })
  if (size === 0) return <Nothing live={trace.live} />
  if (filter.length === 0 && filter.scanned >= size)
    return <NoMatch query={filter.query.text} onClear={() => go({ type: 'query', query: '' })} />
  const idOf = ({ kind, group, seq }: Item) => `${gridId}-${kind === 'group' ? `g${group}` : seq}`
  const items = view.items.flatMap(row => {
    const item = rows.at(row.index)
    return item ? [{ item, ...row }] : []
  })
  const drawn = items.find(({ item }) => rows.holds(item, selection.seq))
  const onClick = ({ target }: MouseEvent) => {
    const row = target instanceof Element ? target.closest('[data-row]') : null
    const item = rows.at(Number(row?.getAttribute('data-row') ?? -1))
    if (!item || !(target instanceof Element)) return
    if (item.kind === 'group') rows.fold(item, rows.groups?.isOpen(item.group) !== true)
    else if (target.closest('[data-fold]')) rows.fold(item, item.isOpen !== true)
    else onSelect(item.seq)
  }
  return (
    <div
      ref={scroller}
      onScroll={onScroll}
      className={styles.log}
      style={widthsOf(timeline, size, (marked.length > 0 ? MARK : 0) + (isTree ? INDENT : 0))}
      role="grid"
      // Only rows of a tree can be expanded.
      {...(isTree && { role: 'treegrid' })}
      aria-label="Event log"
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      aria-activedescendant={drawn && idOf(drawn.item)}
      onKeyDown={event => onLogKey(event, rows, selection.seq, { onSelect, onCommand: run })}
      onClick={onClick}
      onContextMenu={menu.onContextMenu}
    >
      <LogHead
        isGrouped={isGrouped}
        onGroup={group}
        groups={rows.groups?.groups}
        isFolded={folding.isFolded}
        onCommand={run}
        dropped={trace.dropped()}
      />
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
              selected={rows.holds(item, selection.seq)}
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
              level={isTree ? (isGrouped || (item.head ?? item.seq) !== item.seq ? 2 : 1) : undefined}
              steps={item.steps}
              isOpen={item.isOpen}
              isSeries={item.steps ? folding.rows?.folds.isSeries(item.seq) : undefined}
              selected={rows.holds(item, selection.seq)}
              future={item.seq > selection.at}
              about={aboutOf(timeline.actor(item.seq))}
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

type RowMarks = Pick<LogRowProps, 'note' | 'mark' | 'finding'>

const NONE: RowMarks = {}

/** Returns the marks of an event by number, and the events that have any. Rows without marks cost nothing. */
function useRowMarks(): { readonly marks: (seq: number) => RowMarks; readonly marked: readonly number[] } {
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
  const marked = useMemo(() => {
    const pair = [a, b].filter(seq => seq !== undefined)
    return [...new Set([...notes.keys(), ...broken.keys(), ...pair])]
  }, [notes, broken, a, b])
  const marks = useMemo(
    () => (seq: number) => {
      const mark = `${seq === a ? 'A' : ''}${seq === b ? 'B' : ''}`
      const [note, finding] = [notes.get(seq), broken.get(seq)]
      if (mark === '' && note === undefined && finding === undefined) return NONE
      return { note, finding, mark: mark || undefined }
    },
    [notes, broken, a, b],
  )
  return { marks, marked }
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
