// The palette's input and its results.
import { Search } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { Kbd } from '../kbd.tsx'
import { useTake } from './palette-dialog.tsx'
import type { Grammar } from './palette-item.ts'
import { PaletteList } from './palette-list.tsx'
import styles from './palette.module.css'
import type { Ranked } from './rank.ts'

export interface PaletteBoxProps {
  readonly grammar: Grammar
  readonly text: string
  readonly onText: (text: string) => void
  /** Results for the text. */
  readonly ranked: Ranked
  readonly placeholder: string
  /** Hint that is shown if nothing matches. */
  readonly none: string
}

const PAGE = 8

const grouped = new Intl.NumberFormat('en')

export function PaletteBox(props: PaletteBoxProps) {
  const { grammar, text, onText, ranked, placeholder, none } = props
  const onTake = useTake()
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
