// The query's terms as chips, each of which can be edited, negated or removed by keyboard.
import { X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { type Query, type Term, textOfTerm } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import styles from './query.module.css'

export interface QueryChipsProps {
  readonly query: Query
  readonly onQuery: (text: string) => void
  /** Selects a part of the query text for editing. */
  readonly onEdit: (from: number, to: number) => void
}

/** Enter edits, `-` negates, Delete removes, arrows move between chips. */
export function QueryChips({ query, onQuery, onEdit }: QueryChipsProps) {
  const { terms, errors } = query
  if (terms.length + errors.length === 0) return null
  return (
    <div className={styles.chips} role="toolbar" aria-label="Query terms" tabIndex={-1} onKeyDown={travel}>
      {terms.map(term => (
        <Chip key={term.from} query={query} term={term} onQuery={onQuery} onEdit={onEdit} />
      ))}
      {errors.map(error => (
        <span key={`${error.from} ${error.message}`} className={cx(styles.chip, styles.wrong)}>
          <button type="button" className={styles.term} onClick={() => onEdit(error.from, error.to)}>
            {error.message}
          </button>
        </span>
      ))}
    </div>
  )
}

interface ChipProps extends QueryChipsProps {
  readonly term: Term
}

function Chip({ query, term, onQuery, onEdit }: ChipProps) {
  const text = textOfTerm(query, term, false)
  const remove = () => onQuery(withoutPart(query, term))
  const invert = () => onQuery(withOpposite(query, term))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Delete' || event.key === 'Backspace') remove()
    else if (event.key === '-' || event.key === '!') invert()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span className={cx(styles.chip, term.negated && styles.not)}>
      <button
        type="button"
        className={styles.flip}
        tabIndex={-1}
        aria-label={term.negated ? `not ${text}: include` : `is ${text}: exclude`}
        title={term.negated ? 'Excluded. Click to include' : 'Included. Click to exclude'}
        onClick={invert}
      >
        {term.negated ? 'not' : 'is'}
      </button>
      <button
        type="button"
        className={styles.term}
        aria-label={`${term.negated ? 'not ' : ''}${text}. Enter edits, minus negates, Delete removes`}
        onClick={() => onEdit(term.from, term.to)}
        onKeyDown={onKeyDown}
      >
        {text}
      </button>
      <button
        type="button"
        className={styles.remove}
        tabIndex={-1}
        aria-label={`Remove ${text}`}
        onClick={remove}
      >
        <X size={11} aria-hidden />
      </button>
    </span>
  )
}

/** Left and right move to the adjacent chip. */
function travel(event: KeyboardEvent<HTMLDivElement>): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (by === undefined) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not([tabindex="-1"])')]
  const next = all[all.findIndex(button => button === event.target) + by]
  event.preventDefault()
  event.stopPropagation()
  next?.focus()
}

/** Returns the query without a part of it. */
export function withoutPart({ text }: Query, { from, to }: Pick<Term, 'from' | 'to'>): string {
  return `${text.slice(0, from)}${text.slice(to)}`.replaceAll(/\s{2,}/g, ' ').trim()
}

/** Returns the query with a term negated or un-negated. */
export function withOpposite(query: Query, term: Term): string {
  const { text } = query
  return text.slice(0, term.from) + textOfTerm(query, term, !term.negated) + text.slice(term.to)
}
