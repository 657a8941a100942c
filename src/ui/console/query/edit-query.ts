// Changes of a query by its terms: what chips do.
import { textOfTerm } from '../../../trace/query/compile.ts'
import type { Query, Term } from '../../../trace/query/terms.ts'

/** The query without a part of it. */
export function withoutPart({ text }: Query, { from, to }: Pick<Term, 'from' | 'to'>): string {
  return `${text.slice(0, from)}${text.slice(to)}`.replaceAll(/\s{2,}/g, ' ').trim()
}

/** The query with a term turned into its opposite. */
export function withOpposite(query: Query, term: Term): string {
  const { text } = query
  return text.slice(0, term.from) + textOfTerm(query, term, !term.negated) + text.slice(term.to)
}
