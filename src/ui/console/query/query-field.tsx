// The query field, with completions, recent queries, and the number of hidden events.
import { X } from 'lucide-react'
import { memo, useId, useState, type KeyboardEvent, type RefObject } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import type { RowFilter } from '../model/row-filter.ts'
import { count, plural } from '../text.ts'
import toolbar from '../toolbar/toolbar.module.css'
import { beginnings, complete, type Completion, type Offer } from './completion.ts'
import { cx } from '../../widgets/cx.ts'
import styles from './query.module.css'
import { storedTexts, storeTexts } from '../stored-layout.ts'

export interface QueryFieldProps {
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly query: string
  readonly onQuery: (query: string) => void
  readonly timeline: Timeline
  /** Text with the number of hidden events. */
  readonly announcement: string
}

/** Terms are combined with AND. Escape clears; Down opens completions or recent queries. */
export const QueryField = memo(function QueryField(props: QueryFieldProps) {
  const { inputRef, query, onQuery, timeline, announcement } = props
  const listId = useId()
  const [offered, offer] = useState<Completion>()
  const [chosen, choose] = useState(-1)
  const close = () => offer(undefined)
  const open = (text: string, caret: number, isAsked: boolean) => {
    const isEmpty = text.trim() === ''
    const found = isEmpty
      ? isAsked
        ? beginnings(pastQueries())
        : undefined
      : complete(text, caret, timeline)
    offer(found && found.offers.length > 0 ? found : undefined)
    choose(-1)
  }
  const take = (at: number) => {
    const { from, to, offers } = offered ?? complete(query, 0, timeline)
    const text = offers[at]?.text
    if (text === undefined) return
    const rest = query.slice(to)
    // A key is followed by its value, anything else by the next term.
    const isWhole = !/[:>]$/.test(text)
    const before = `${query.slice(0, from)}${text}${isWhole && rest === '' ? ' ' : ''}`
    onQuery(before + rest)
    if (isWhole) close()
    else open(before + rest, before.length, true)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Shift+Tab leaves the field, even with completions open.
    const handled = onFieldKey(event.shiftKey && event.key === 'Tab' ? '' : event.key, {
      offers: offered?.offers.length ?? 0,
      chosen,
      choose,
      take,
      close,
      open: () => open(query, event.currentTarget.selectionStart ?? 0, true),
      save: () => keepQuery(query),
    })
    if (handled) event.preventDefault()
    else if (event.key === 'Escape') {
      // The console's shortcuts work where the focus is.
      if (query === '') event.currentTarget.closest<HTMLElement>('section[tabindex]')?.focus()
      else onQuery('')
    } else return
    event.stopPropagation()
  }
  return (
    <div className={toolbar.filter}>
      <span aria-hidden className={toolbar.slash}>
        /
      </span>
      <input
        ref={inputRef}
        className={toolbar.input}
        role="combobox"
        aria-label="Filter the log"
        aria-expanded={offered !== undefined}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={offered && chosen >= 0 ? `${listId}-${chosen}` : undefined}
        placeholder="actor:session type:token.* -noop"
        spellCheck={false}
        autoComplete="off"
        value={query}
        onChange={event => {
          onQuery(event.target.value)
          open(event.target.value, event.target.selectionStart ?? 0, false)
        }}
        onBlur={() => {
          keepQuery(query)
          close()
        }}
        onKeyDown={onKeyDown}
      />
      {query === '' ? null : (
        <button
          type="button"
          className={toolbar.clear}
          aria-label="Clear filter"
          onClick={() => {
            onQuery('')
            inputRef.current?.focus()
          }}
        >
          <X size={13} aria-hidden />
        </button>
      )}
      <span className={toolbar.count}>{announcement}</span>
      <Offers id={listId} offers={offered?.offers} chosen={chosen} onTake={take} />
    </div>
  )
})

interface FieldHandlers {
  readonly offers: number
  readonly chosen: number
  readonly choose: (at: number) => void
  readonly take: (at: number) => void
  readonly close: () => void
  readonly open: () => void
  readonly save: () => void
}

/** Returns whether the list handled the key. */
function onFieldKey(
  key: string,
  { offers, chosen, choose, take, close, open, save }: FieldHandlers,
): boolean {
  if (key === 'Enter' && chosen < 0) save()
  if (offers === 0) {
    if (key === 'ArrowDown') open()
    return key === 'ArrowDown'
  }
  switch (key) {
    case 'ArrowDown':
      choose((chosen + 1) % offers)
      return true
    case 'ArrowUp':
      choose((chosen + offers) % (offers + 1) === offers ? offers - 1 : (chosen - 1 + offers) % offers)
      return true
    case 'Tab':
    case 'Enter':
      if (chosen < 0 && key === 'Enter') {
        close()
        return false
      }
      take(Math.max(0, chosen))
      return true
    case 'Escape':
      close()
      return true
    default:
      return false
  }
}

/** Formats how many events the query hides. */
export function countText(filter: RowFilter, size: number): string {
  if (filter.failure !== undefined) return `search failed: ${filter.failure}`
  if (!filter.filtering) return plural(size, 'event')
  if (filter.scanned < size)
    return `${count(filter.length)} so far · ${Math.floor((filter.scanned / size) * 100)} %`
  return `${count(filter.length)} of ${count(size)} · ${count(size - filter.length)} hidden`
}

interface OffersProps {
  readonly id: string
  /** Undefined while the list is closed. */
  readonly offers: readonly Offer[] | undefined
  readonly chosen: number
  readonly onTake: (at: number) => void
}

/** The list of completions below the query field. */
function Offers({ id, offers, chosen, onTake }: OffersProps) {
  if (!offers) return null
  return (
    <div className={styles.offers} id={id} role="listbox" tabIndex={-1} aria-label="Suggestions">
      {offers.map(({ text, help }, at) => (
        <div
          key={text}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === chosen}
          className={cx(styles.offer, at === chosen && styles.chosen)}
          // The field keeps the focus.
          onPointerDown={event => {
            event.preventDefault()
            onTake(at)
          }}
        >
          <span className={styles.text}>{text}</span>
          <span className={styles.help}>{help}</span>
        </div>
      ))}
    </div>
  )
}

const NAME = 'queries'
const KEPT = 20

export const pastQueries = (): readonly string[] => storedTexts(NAME)

/** Stores a query. */
function keepQuery(query: string): void {
  const text = query.trim()
  // A text that ends in an operator is unfinished.
  if (text === '' || /[-:<>]$/.test(text)) return
  const others = pastQueries().filter(known => known !== text)
  storeTexts(NAME, [text, ...others].slice(0, KEPT))
}
