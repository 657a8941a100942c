// The search field above a tree, with the number of matches and buttons to move between them.
import { ChevronDown, ChevronUp, ListFilter, ScrollText } from 'lucide-react'
import type { KeyboardEvent, RefObject } from 'react'
import { IconButton } from '../../widgets/button.tsx'
import { count } from '../text.ts'
import type { Found } from './search.ts'
import styles from './search.module.css'

export interface SearchBarProps {
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly text: string
  readonly onText: (text: string) => void
  /** Undefined while searching. */
  readonly found: Found | undefined
  /** Index of the current match; -1 for none. */
  readonly at: number
  readonly onStep: (by: 1 | -1) => void
  readonly isFilter: boolean
  readonly onFilter: (isFilter: boolean) => void
  /** Searches all records. */
  readonly onOverTime: (() => void) | undefined
  /** Returns to the tree. */
  readonly onLeave: () => void
}

export function SearchBar(props: SearchBarProps) {
  const { inputRef, text, onText, found, at, onStep, isFilter, onFilter, onOverTime, onLeave } = props
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
    else if (event.key === 'ArrowDown') onLeave()
    else if (event.key === 'Escape') {
      if (text === '') onLeave()
      else onText('')
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const isNone = found?.total === 0
  return (
    <search className={styles.bar}>
      <input
        ref={inputRef}
        className={styles.input}
        aria-label="Find in this value"
        aria-keyshortcuts="Control+F Meta+F"
        placeholder="Find a name or a value"
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={event => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {text === '' ? null : (
        <>
          <span className={styles.count} role="status">
            {countText(found, at)}
          </span>
          <IconButton size="s" label="Previous match" isDisabled={isNone} onPress={() => onStep(-1)}>
            <ChevronUp size={13} aria-hidden />
          </IconButton>
          <IconButton size="s" label="Next match" isDisabled={isNone} onPress={() => onStep(1)}>
            <ChevronDown size={13} aria-hidden />
          </IconButton>
          <IconButton size="s" label="Show only matches" isOn={isFilter} onPress={() => onFilter(!isFilter)}>
            <ListFilter size={13} aria-hidden />
          </IconButton>
          {onOverTime ? (
            <IconButton size="s" label="Find it over time, in the log" onPress={onOverTime}>
              <ScrollText size={13} aria-hidden />
            </IconButton>
          ) : null}
        </>
      )}
    </search>
  )
}

function countText(found: Found | undefined, at: number): string {
  if (!found) return '…'
  if (found.total === 0) return 'none'
  return at < 0 ? count(found.total) : `${count(at + 1)} of ${count(found.total)}`
}
