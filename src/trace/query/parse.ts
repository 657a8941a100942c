// Parses a query: terms separated by spaces, each with its position, and a message for each unknown term.
import { editDistance } from '../edit-distance.ts'
import type { DeepTerm } from './compile.ts'

/** Keywords for a property of a step. */
export const FLAG_WORDS = ['noop', 'failed', 'injected', 'moved', 'lost', 'bookmarked'] as const
export type FlagWord = (typeof FLAG_WORDS)[number]

/** Keys that are followed by a colon and the wanted text. */
const TEXT_KEYS = ['actor', 'type', 'state', 'from', 'src', 'status', 'fault'] as const
export type TextKey = (typeof TEXT_KEYS)[number]

const DEEP_KEYS = ['changed', 'context', 'event', 'output', 'holds'] as const

const COMPARED_KEYS = ['dur', 'at'] as const
export type ComparedKey = (typeof COMPARED_KEYS)[number]

/** Every key with a description: for completion and help. */
export const KEY_HELP: Readonly<Record<string, string>> = {
  actor: 'path or name of the actor, * as a wildcard',
  type: 'event type',
  state: 'a state after the step',
  from: 'sender of the event; app for outside',
  src: 'logic of the actor',
  status: 'active, done, error or stopped',
  fault: 'id of an injected fault',
  changed: 'a context path whose value changed, e.g. /session/exp',
  context: 'a context path, optionally with =value',
  event: 'an event path, optionally with =value',
  output: 'an output path, optionally with =value',
  holds: 'text anywhere in the context',
  'caused-by': 'number of an event: shows all its effects',
}

export type Wanted =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'key'; readonly key: TextKey; readonly any: readonly string[] }
  | { readonly kind: 'flag'; readonly flag: FlagWord }
  | {
      readonly kind: 'compared'
      readonly key: ComparedKey
      readonly by: '>' | '<' | '>=' | '<='
      readonly ms: number
    }
  | { readonly kind: 'caused-by'; readonly seq: number }
  | { readonly kind: 'number'; readonly seq: number }
  | { readonly kind: 'deep'; readonly term: DeepTerm }

/** One condition; a step matches a query if it matches all of them. */
export interface Term {
  readonly wanted: Wanted
  /** Whether a step must not match. */
  readonly negated: boolean
  /** Its position in the text: from `from` up to, but not including, `to`. */
  readonly from: number
  readonly to: number
}

/** What is wrong with a part of the text, as a sentence. */
interface QueryError {
  readonly message: string
  readonly from: number
  readonly to: number
}

export interface Query {
  readonly text: string
  readonly terms: readonly Term[]
  /** Invalid parts, which are ignored. */
  readonly errors: readonly QueryError[]
}

/** A run of text without spaces, except within quotes. */
const WORDS = /(?:"(?:[^"\\]|\\.)*"?|[^\s"])+/g
const COMPARED = /^([a-z]+)(>=|<=|>|<)(.*)$/i
const TIME = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Never throws: invalid terms are reported in `errors` and ignored. */
export function parseQuery(text: string): Query {
  const terms: Term[] = []
  const errors: QueryError[] = []
  for (const { 0: word, index: from } of text.matchAll(WORDS)) {
    const place = { from, to: from + word.length }
    const negated = word.startsWith('-') && word.length > 1
    const wanted = readWord(negated ? word.slice(1) : word)
    if (typeof wanted === 'string') errors.push({ message: wanted, ...place })
    else if (wanted) terms.push({ wanted, negated, ...place })
  }
  return { text, terms, errors }
}

const isOneOf = <T extends string>(all: readonly T[], word: string): word is T =>
  (all as readonly string[]).includes(word)

/** Returns a message for an invalid word; undefined while it is still empty. */
function readWord(word: string): Wanted | string | undefined {
  if (word.startsWith('"')) {
    const text = unquoted(word)
    return text === '' ? undefined : { kind: 'text', text }
  }
  const number = /^#(\d+)$/.exec(word)
  if (number) return { kind: 'number', seq: Number(number[1]) }
  const compared = COMPARED.exec(word)
  if (compared) return readCompared(compared[1] ?? '', compared[2] ?? '', compared[3] ?? '')
  const colon = word.indexOf(':')
  if (colon > 0) return readKey(word.slice(0, colon).toLowerCase(), unquoted(word.slice(colon + 1)), word)
  if (isOneOf(FLAG_WORDS, word)) return { kind: 'flag', flag: word }
  return word === '-' ? undefined : { kind: 'text', text: word }
}

function readCompared(key: string, by: string, text: string): Wanted | string {
  if (!isOneOf(COMPARED_KEYS, key))
    return `${key} cannot be compared; ${COMPARED_KEYS.join(' and ')} can, e.g. dur>500ms.`
  const time = TIME.exec(text)
  if (!time) return `${key}${by} needs a time, e.g. 500ms or 2s.`
  const ms = Number(time[1]) * (UNITS[time[2] ?? 'ms'] ?? 1)
  return { kind: 'compared', key, by: by as '>', ms }
}

function readKey(key: string, value: string, word: string): Wanted | string {
  if (key === 'caused-by') {
    const seq = /^#?(\d+)$/.exec(value)
    return seq
      ? { kind: 'caused-by', seq: Number(seq[1]) }
      : 'caused-by needs the number of an event, e.g. #812.'
  }
  if (isOneOf(DEEP_KEYS, key)) return readDeep(key, value)
  if (!isOneOf(TEXT_KEYS, key)) {
    const meant = nearest(key)
    // Event types may contain colons: an unknown key is text.
    return meant === undefined ? { kind: 'text', text: word } : `There is no ${key}:; did you mean ${meant}:?`
  }
  const any = value.split(',').filter(part => part !== '')
  if (any.length === 0) return `${key}: needs a value: ${KEY_HELP[key]}.`
  return { kind: 'key', key, any }
}

function readDeep(key: (typeof DEEP_KEYS)[number], value: string): Wanted | string {
  if (value === '') return `${key}: needs a value: ${KEY_HELP[key]}.`
  if (key === 'holds') return { kind: 'deep', term: { kind: key, text: value } }
  if (!value.startsWith('/')) return `${key}: needs a path that starts with /, e.g. ${key}:/session/exp.`
  if (key === 'changed') return { kind: 'deep', term: { kind: key, path: value } }
  const equals = value.indexOf('=')
  const term: DeepTerm =
    equals < 0
      ? { kind: key, path: value }
      : { kind: key, path: value.slice(0, equals), value: unquoted(value.slice(equals + 1)) }
  return { kind: 'deep', term }
}

function unquoted(text: string): string {
  if (!text.startsWith('"')) return text
  const inner = text.endsWith('"') && text.length > 1 ? text.slice(1, -1) : text.slice(1)
  return inner.replaceAll(/\\(.)/g, '$1')
}

/** Returns a key that differs by at most two letters. */
function nearest(key: string): string | undefined {
  return Object.keys(KEY_HELP).find(known => editDistance(known, key) <= (known.length > 4 ? 2 : 1))
}
