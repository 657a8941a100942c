// The palette's input and its results.
import { Search } from 'lucide-react'
import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  useEffectEvent,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { Kbd } from '../kbd.tsx'
import type { Grammar, KindFacts, PaletteItem } from './palette-item.ts'
import styles from './palette.module.css'
import type { Ranked, Found } from './rank.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { cx } from '../cx.ts'
import { isApplePlatform, keyLabel } from './key-name.ts'

export interface PaletteBoxProps {
  readonly grammar: Grammar
  readonly text: string
  readonly onText: (text: string) => void
  /** Results for the text. */
  readonly ranked: Ranked
  readonly placeholder: string
  /** Hint that is shown if nothing matches. */
  readonly none: string
  /** Called with the chosen item. */
  readonly onTake: (item: PaletteItem) => void
}

const PAGE = 8

const grouped = new Intl.NumberFormat(undefined, { numberingSystem: 'latn' })

export function PaletteBox(props: PaletteBoxProps) {
  const { grammar, text, onText, ranked, placeholder, none, onTake } = props
  const id = useId()
  const [chosen, choose] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const { found, total } = ranked
  const last = found.length - 1
  const at = Math.min(chosen, last)
  const onKeyDown = (event: KeyboardEvent) => {
    const item = found[at]?.item
    const next = {
      ArrowDown: at === last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      PageDown: Math.min(last, at + PAGE),
      PageUp: Math.max(0, at - PAGE),
    }[event.key]
    if (next !== undefined) choose(next)
    else if (event.key === 'Enter' && item && !event.nativeEvent.isComposing) onTake(item)
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className={styles.field}>
        <Search size={15} aria-hidden />
        <input
          className={styles.input}
          role="combobox"
          aria-label="Command palette"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          ref={field}
          value={text}
          onChange={event => {
            onText(event.target.value)
            choose(0)
          }}
          onKeyDown={onKeyDown}
        />
        <span className={styles.total} role="status">
          {found.length === 0 ? 'none' : grouped.format(total)}
        </span>
      </div>
      {found.length === 0 ? (
        <p className={styles.none}>
          No results for “{text}”. {none}
        </p>
      ) : (
        <PaletteList
          id={id}
          kinds={grammar.kinds}
          found={found}
          chosen={at}
          onTake={onTake}
          onKeyDown={onKeyDown}
        />
      )}
      <Signs grammar={grammar} />
    </>
  )
}

function Signs({ grammar }: { readonly grammar: Grammar }) {
  const signs = Object.entries(grammar.signs)
  if (signs.length === 0) return null
  return (
    <footer className={styles.foot} aria-hidden>
      {signs.map(([sign, { name }]) => (
        <span key={sign}>
          <Kbd>{sign}</Kbd> {name}
        </span>
      ))}
    </footer>
  )
}

const ROW = 30

interface PaletteListProps {
  readonly id: string
  readonly kinds: Grammar['kinds']
  readonly found: readonly Found[]
  readonly chosen: number
  readonly onTake: (item: PaletteItem) => void
  /** Handles the same keys as the input. */
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** The palette's results as a virtualized list. */
function PaletteList({ id, kinds, found, chosen, onTake, onKeyDown }: PaletteListProps) {
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
