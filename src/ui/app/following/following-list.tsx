// Virtualized list that grows at its end: it follows the newest entry until the user scrolls up.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode, type UIEvent } from 'react'
import { pointed } from '../../widgets/pointed.ts'

/** Attributes of a row element, independent of its content. */
export interface RowFrame {
  readonly id: string
  readonly 'data-index': number
  readonly role: 'option'
  readonly tabIndex: -1
  readonly 'aria-selected': boolean
  readonly style: { readonly transform: string }
}

export interface FollowingListProps<T> {
  readonly label: string
  readonly className: string | undefined
  readonly items: readonly T[]
  /** Unique on the page, and stable when earlier rows are removed. */
  readonly idOf: (item: T, index: number) => string
  /** Row height in pixels. */
  readonly height: number
  readonly follows: boolean
  readonly onFollow: (follows: boolean) => void
  /** Index of the selected row; -1 for none. */
  readonly chosen: number
  readonly onChoose: (index: number) => void
  readonly children: (item: T, frame: RowFrame, index: number) => ReactNode
}

/** Index that a key selects. */
const reached = (key: string, chosen: number, count: number): number | undefined => {
  if (key === 'ArrowDown') return chosen + 1
  if (key === 'ArrowUp') return (chosen < 0 ? count : chosen) - 1
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

/** Clicks and arrow keys select. */
export function FollowingList<T>(props: FollowingListProps<T>) {
  const { label, className, items, idOf, height, follows, onFollow, chosen, onChoose, children } = props
  const list = useRef<HTMLDivElement>(null)
  const idAt = (index: number) => {
    const item = items[index]
    return item === undefined ? String(index) : idOf(item, index)
  }
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => list.current,
    estimateSize: () => height,
    overscan: 10,
  })
  const drawn = rows.getVirtualItems()
  const last = items.length - 1
  const newest = last < 0 ? undefined : idAt(last)
  const onScroll = useWentUp(
    () => onFollow(false),
    () => onFollow(true),
  )
  useEffect(() => {
    if (follows && last >= 0) rows.scrollToIndex(last, { align: 'end' })
  }, [follows, newest, last, rows])
  const choose = (index: number) => {
    const next = Math.max(0, Math.min(last, index))
    if (last < 0) return
    onChoose(next)
    rows.scrollToIndex(next)
  }
  return (
    <div
      ref={list}
      className={className}
      role="listbox"
      aria-label={label}
      aria-activedescendant={pointed(drawn, chosen, idAt(chosen))}
      tabIndex={0}
      data-own-keys
      onScroll={onScroll}
      onClick={({ target }) => {
        const row = target instanceof Element ? target.closest('[role=option]') : null
        const index = Number(row?.getAttribute('data-index') ?? NaN)
        if (!Number.isNaN(index)) choose(index)
      }}
      onKeyDown={event => {
        const next = reached(event.key, chosen, items.length)
        if (next === undefined) return
        event.preventDefault()
        choose(next)
      }}
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative' }} role="presentation">
        {drawn.map(({ index, start }) => {
          const item = items[index]
          if (item === undefined) return null
          const frame: RowFrame = {
            id: idOf(item, index),
            'data-index': index,
            role: 'option',
            tabIndex: -1,
            'aria-selected': index === chosen,
            style: { transform: `translateY(${start}px)` },
          }
          return children(item, frame, index)
        })}
      </div>
    </div>
  )
}

/** Distance to the end that still counts as the end, in pixels. */
const NEAR = 4

/**
 * Returns a `scroll` handler. Growing lists only scroll down automatically, so the user scrolled up.
 * @param onEnd called when the user is back at the end.
 */
function useWentUp(onUp: () => void, onEnd: () => void): (event: UIEvent<HTMLElement>) => void {
  const last = useRef(0)
  return ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
    const left = scrollHeight - scrollTop - clientHeight
    if (left < NEAR) onEnd()
    else if (scrollTop < last.current) onUp()
    last.current = scrollTop
  }
}
