// Terms of a query that need whole records: what changed, and what a context or an event holds.
import { textOfValue } from './plain-text.ts'
import type { ViewRecord } from '../format.ts'

/** A term about the values of a record. */
export type DeepTerm =
  /** The value at this JSON pointer in the context is another one than in the actor's view before. */
  | { readonly kind: 'changed'; readonly path: string }
  /** There is a value at this pointer, and it is, or holds, this text. */
  | { readonly kind: 'context' | 'event' | 'output'; readonly path: string; readonly value?: string }
  /** The context holds this text somewhere, as a key or in a value. */
  | { readonly kind: 'holds'; readonly text: string }

/** Whether a view is what the term says; `before` is the actor's view before it. */
export function matchesDeep(term: DeepTerm, view: ViewRecord, before: ViewRecord | undefined): boolean {
  switch (term.kind) {
    case 'changed':
      return before === undefined
        ? valueAt(view.context, term.path) !== undefined
        : view.context !== before.context && !isSame(view.context, before.context, term.path)
    case 'holds':
      return textOfValue(view.context).toLowerCase().includes(term.text.toLowerCase())
    default: {
      const value = valueAt(view[term.kind], term.path)
      return value !== undefined && (term.value === undefined || isValue(value, term.value))
    }
  }
}

function isSame(a: unknown, b: unknown, path: string): boolean {
  const [was, is] = [valueAt(a, path), valueAt(b, path)]
  return Object.is(was, is) || textOfValue(was) === textOfValue(is)
}

function isValue(value: unknown, wanted: string): boolean {
  const text = typeof value === 'string' ? value : textOfValue(value)
  return wanted.endsWith('*') ? text.startsWith(wanted.slice(0, -1)) : text === wanted
}

/** What stands at a JSON pointer; the whole for an empty one. */
function valueAt(value: unknown, pointer: string): unknown {
  let at = value
  for (const raw of pointer.split('/').slice(1)) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~')
    if (at instanceof Map) at = at.get(key)
    else if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    else at = Reflect.get(at, key)
  }
  return at
}
