// The search of the diagram: the best match is centered while typing.
import { useState, type KeyboardEvent, type RefObject } from 'react'
import { plural } from '../../../services/workbench/text/index.ts'
import control from '../../widgets/control.module.css'
import { cx } from '../../widgets/cx.ts'
import styles from './diagram.module.css'

export interface DiagramSearchProps {
  readonly inputRef: RefObject<HTMLInputElement | null>
  /** Ids of the tables that match, the best first. */
  readonly find: (text: string) => readonly string[]
  readonly onShow: (id: string, isFocused: boolean) => void
}

/** Arrow keys go to the other matches, and Enter goes to the table in the diagram. */
export function DiagramSearch({ inputRef, find, onShow }: DiagramSearchProps) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const matches = find(text)
  const go = (next: number, isFocused: boolean) => {
    const id = matches[next]
    setAt(next)
    if (id !== undefined) onShow(id, isFocused)
  }
  const search = (typed: string) => {
    setText(typed)
    setAt(0)
    const [best] = find(typed)
    if (best !== undefined) onShow(best, false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const count = Math.max(1, matches.length)
    if (event.key === 'ArrowDown') go((at + 1) % count, false)
    else if (event.key === 'ArrowUp') go((at + count - 1) % count, false)
    else if (event.key === 'Enter') go(at, true)
    else if (event.key === 'Escape' && text !== '') search('')
    else return
    event.preventDefault()
  }
  const status =
    matches.length === 0 ? 'No table matches' : `${at + 1} of ${plural(matches.length, 'match', 'matches')}`
  return (
    <span className={styles.search}>
      <input
        ref={inputRef}
        type="text"
        value={text}
        placeholder="Find a table"
        aria-label="Find a table"
        aria-keyshortcuts="F"
        autoComplete="off"
        spellCheck={false}
        className={cx(control.box, styles.searchField)}
        onChange={event => search(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span role="status" className={styles.searchStatus}>
        {text === '' ? '' : status}
      </span>
    </span>
  )
}
