// Edits a query by its terms, for the chips.
import { type Query, type Term, textOfTerm } from '../../../trace/index.ts'

/** Returns the query without a part of it. */
export function withoutPart({ text }: Query, { from, to }: Pick<Term, 'from' | 'to'>): string {
  return `${text.slice(0, from)}${text.slice(to)}`.replaceAll(/\s{2,}/g, ' ').trim()
}

/** Returns the query with a term negated or un-negated. */
export function withOpposite(query: Query, term: Term): string {
  const { text } = query
  return text.slice(0, term.from) + textOfTerm(query, term, !term.negated) + text.slice(term.to)
}
