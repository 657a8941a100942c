// Query terms that need whole records: changes, and the contents of a context or an event.
import type { StepRecord } from '../format/records.ts'
import { encodeValue } from '../codec/codec.ts'

/** A term about the values of a record. */
export type DeepTerm =
  /** The context value at this JSON pointer differs from the actor's previous step. */
  | { readonly kind: 'changed'; readonly path: string }
  /** A value exists at this pointer, and equals or contains this text. */
  | { readonly kind: 'context' | 'event' | 'output'; readonly path: string; readonly value?: string }
  /** The context contains this text anywhere, as a key or in a value. */
  | { readonly kind: 'holds'; readonly text: string }

/** Whether a step matches the term; `before` is the actor's previous step. */
export function matchesDeep(term: DeepTerm, step: StepRecord, before: StepRecord | undefined): boolean {
  switch (term.kind) {
    case 'changed':
      return before === undefined
        ? valueAt(step.context, term.path) !== undefined
        : step.context !== before.context && !isSame(step.context, before.context, term.path)
    case 'holds':
      return textOfValue(step.context).toLowerCase().includes(term.text.toLowerCase())
    default: {
      const value = valueAt(step[term.kind], term.path)
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

/** Returns the value at a JSON pointer; the whole value for an empty one. */
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

/** As JSON in the codec's form. */
export function textOfValue(value: unknown): string {
  if (value === undefined) return 'undefined'
  return JSON.stringify(encodeValue(value))
}
