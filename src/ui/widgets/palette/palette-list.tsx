// The palette's results as a virtualized list.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Kbd } from '../kbd.tsx'
import { isApplePlatform, keyLabel } from './key-name.ts'
import type { Grammar, KindFacts, PaletteItem } from './palette-item.ts'
import styles from './palette.module.css'
import type { Found } from './rank.ts'

const ROW = 30

export interface PaletteListProps {
  readonly id: string
  readonly kinds: Grammar['kinds']
  readonly found: readonly Found[]
  readonly chosen: number
  readonly onTake: (item: PaletteItem) => void
  /** Handles the same keys as the input. */
  readonly onKeyDown: (event: KeyboardEvent) => void
}

export function PaletteList({ id, kinds, found, chosen, onTake, onKeyDown }: PaletteListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const view = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
    // Renders lines in the first frame.
    initialRect: { width: 600, height: 360 },
  })
  const reveal = useEffectEvent(() => view.scrollToIndex(chosen))
  useEffect(() => reveal(), [chosen, found])
  const onClick = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('[data-at]') : null
    const item = found[Number(row?.getAttribute('data-at') ?? -1)]?.item
    if (item) onTake(item)
  }
  return (
    <div
      ref={scroller}
      id={`${id}-list`}
      role="listbox"
      aria-label="Results"
      tabIndex={-1}
      className={styles.list}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className={styles.sheet} style={{ height: view.getTotalSize() }}>
        {view.getVirtualItems().map(({ index, start }) => {
          const line = found[index]
          return line ? (
            <Line
              key={line.item.key}
              id={`${id}-${index}`}
              line={line}
              facts={kinds[line.item.kind]}
              index={index}
              of={found.length}
              top={start}
              isChosen={index === chosen}
            />
          ) : null
        })}
      </div>
    </div>
  )
}

interface LineProps {
  readonly id: string
  readonly line: Found
  readonly facts: KindFacts | undefined
  readonly index: number
  readonly of: number
  readonly top: number
  readonly isChosen: boolean
}

function Line({ id, line: { item, at }, facts, index, of, top, isChosen }: LineProps) {
  const { title, detail, kind, keys, disabled } = item
  const isApple = isApplePlatform()
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      data-at={index}
      data-kind={kind}
      aria-posinset={index + 1}
      aria-setsize={of}
      aria-selected={isChosen}
      aria-disabled={disabled !== undefined}
      className={cx(styles.line, isChosen && styles.chosen, disabled !== undefined && styles.disabled)}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span className={cx(styles.title, facts?.isValue === true && styles.value)}>{marked(title, at)}</span>
      <span className={styles.detail}>{disabled ?? detail}</span>
      {keys?.[0] === undefined ? (
        <span className={styles.kind}>{facts?.word}</span>
      ) : (
        <Kbd>{keyLabel(keys[0], isApple)}</Kbd>
      )}
    </div>
  )
}

/** The text with the matched letters highlighted. */
function marked(text: string, at: readonly number[]): ReactNode {
  if (at.length === 0) return text
  const isFound = new Set(at)
  const parts: { text: string; isFound: boolean; from: number }[] = []
  for (let n = 0; n < text.length; n++) {
    const last = parts.at(-1)
    const letter = text[n] ?? ''
    if (last?.isFound === isFound.has(n)) last.text += letter
    else parts.push({ text: letter, isFound: isFound.has(n), from: n })
  }
  return parts.map(part => (part.isFound ? <mark key={part.from}>{part.text}</mark> : part.text))
}
