// The palette's field and what it found.
import { Search } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { Kbd } from '../../widgets/kbd.tsx'
import { count } from '../text.ts'
import type { PaletteItem } from './palette-items.ts'
import { PaletteList } from './palette-list.tsx'
import styles from './palette.module.css'
import { SIGNS } from './rank.ts'
import { usePalette, type PaletteOptions } from './use-palette.ts'

export interface PaletteBoxProps extends PaletteOptions {
  readonly onTake: (item: PaletteItem) => void
}

const PAGE = 8

export function PaletteBox({ onTake, ...options }: PaletteBoxProps) {
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, choose] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const { found, total } = usePalette(text, options)
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
          aria-label="Search or run"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
          placeholder="A command, an actor, a state, #812 …"
          spellCheck={false}
          autoComplete="off"
          ref={field}
          value={text}
          onChange={event => {
            setText(event.target.value)
            choose(0)
          }}
          onKeyDown={onKeyDown}
        />
        <span className={styles.total} role="status">
          {found.length === 0 ? 'nothing' : count(total)}
        </span>
      </div>
      {found.length === 0 ? (
        <p className={styles.none}>
          Nothing is called “{text}”. A letter in front narrows the search down, as below; what happened is
          found with the query of the log.
        </p>
      ) : (
        <PaletteList id={id} found={found} chosen={at} onTake={onTake} onKeyDown={onKeyDown} />
      )}
      <footer className={styles.foot} aria-hidden>
        {Object.entries(SIGNS).map(([sign, { name }]) => (
          <span key={sign}>
            <Kbd>{sign}</Kbd> {name}
          </span>
        ))}
      </footer>
    </>
  )
}
