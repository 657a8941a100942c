// Lists of rows of equal height: virtualized, so that their length does not affect the cost, with active row
// and clicks.
import { useCallback, useLayoutEffect, useRef, useState, type RefObject, type MouseEvent } from 'react'
import { flushSync } from 'react-dom'

export interface RowWindowOptions {
  readonly count: number
  /** Height of a row. */
  readonly size: number
  readonly scroller: RefObject<HTMLDivElement | null>
  /** Height of the sticky head that covers the top. */
  readonly head?: number
  /** Rows rendered beyond both ends of the visible part. */
  readonly overscan?: number
}

export interface WindowRow {
  readonly index: number
  /** Distance from the first row. */
  readonly start: number
  /** A key for its element, which is reused for rows that become visible later. */
  readonly slot: number
}

export interface RowWindow {
  /** Rows to render. */
  readonly items: readonly WindowRow[]
  /** Height of all rows. */
  readonly total: number
  /** Scrolls just far enough to show a row with one more above and below, without forcing a layout. */
  readonly reveal: (row: number) => void
}

interface Seen {
  readonly first: number
  readonly rows: number
}

const NONE: Seen = { first: 0, rows: 0 }

export function useRowWindow(options: RowWindowOptions): RowWindow {
  const { count, size, scroller, head = 0, overscan = 4 } = options
  const [seen, setSeen] = useState(NONE)
  const at = useRef<At>({
    element: null,
    top: 0,
    height: 0,
    wanted: undefined,
    goal: undefined,
    stop: () => {},
  })
  const look = useCallback(() => {
    const { top, goal, height } = at.current
    const [first, rows] = [Math.floor((goal ?? top) / size), Math.ceil(height / size) + 1]
    // A goal needs another render, which applies it.
    const isSame = (now: Seen) => goal === undefined && now.first === first && now.rows === rows
    setSeen(now => (isSame(now) ? now : { first, rows }))
  }, [size])
  const reveal = useCallback(
    (row: number) => {
      const { element, height } = at.current
      if (!element || row < 0) return
      const top = at.current.goal ?? at.current.top
      // A pane that just appeared gets its size a moment later.
      at.current.wanted = height < head + 3 * size ? row : undefined
      if (height === 0) return
      const [from, to] = [row * size, (row + 1) * size + head]
      if (from - size < top) at.current.goal = Math.max(0, from - size)
      else if (to + size > top + height) at.current.goal = to + size - height
      else return
      look()
    },
    [size, head, look],
  )
  // After its rows, so that both are laid out once.
  useLayoutEffect(() => {
    const { element, goal } = at.current
    if (!element || goal === undefined) return
    at.current.goal = undefined
    element.scrollTop = goal
    at.current.top = element.scrollTop
  }, [seen])
  // The element mounts and unmounts with the view's content.
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === at.current.element) return
    at.current.stop()
    at.current = element
      ? follow(element, at, look, reveal)
      : { ...at.current, element, top: 0, height: 0, goal: undefined }
    look()
  })
  useLayoutEffect(
    () => () => {
      at.current.stop()
      at.current.element = null
    },
    [],
  )
  const first = Math.max(0, Math.min(seen.first, count - seen.rows) - overscan)
  const slots = seen.rows + 2 * overscan
  const length = Math.max(0, Math.min(count - first, slots))
  const items = Array.from({ length }, (_, n) => {
    const index = first + n
    return { index, start: index * size, slot: index % slots }
  })
  return { items, total: count * size, reveal }
}

interface At {
  element: HTMLDivElement | null
  top: number
  height: number
  /** The row to show once there is space. */
  wanted: number | undefined
  /** Scroll position to apply once its rows are rendered; kept if the pane is resized before. */
  goal: number | undefined
  stop: () => void
}

function follow(
  element: HTMLDivElement,
  at: { current: At },
  look: () => void,
  reveal: (row: number) => void,
): At {
  const onScroll = () => {
    const top = element.scrollTop
    // The scroll came from this hook.
    if (top === at.current.top) return
    at.current.top = top
    // Rows that become visible are rendered in the same frame.
    flushSync(look)
  }
  const observer = new ResizeObserver(() => {
    at.current.height = element.clientHeight
    look()
    if (at.current.wanted !== undefined) reveal(at.current.wanted)
  })
  element.addEventListener('scroll', onScroll, { passive: true })
  observer.observe(element)
  const stop = () => {
    element.removeEventListener('scroll', onScroll)
    observer.disconnect()
  }
  return {
    element,
    top: element.scrollTop,
    height: element.clientHeight,
    wanted: undefined,
    goal: undefined,
    stop,
  }
}

/** Reports the number of the view whose row was clicked; ignores other clicks inside the grid. */
export function onSeqClick({ target }: MouseEvent, onRecord: (seq: number) => void): void {
  const row = target instanceof Element ? target.closest('[data-seq]') : null
  const seq = row?.getAttribute('data-seq')
  if (seq !== null && seq !== undefined) onRecord(Number(seq))
}
