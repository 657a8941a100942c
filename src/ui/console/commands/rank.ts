// Finds the lines of the palette that fit what is typed, the best first.
import { go } from 'fuzzysort'
import { KINDS, type Kind, type PaletteItem } from './palette-items.ts'

/** A line, and where in its title the typed letters stand. */
export interface Found {
  readonly item: PaletteItem
  readonly at: readonly number[]
}

/** First letters that leave one kind of lines. */
export const SIGNS: Readonly<Record<string, { readonly kinds: readonly Kind[]; readonly name: string }>> = {
  '>': { kinds: ['command'], name: 'commands' },
  '@': { kinds: ['actor'], name: 'actors' },
  ':': { kinds: ['state', 'way'], name: 'states' },
  '#': { kinds: ['event', 'bookmark'], name: 'event number' },
  '/': { kinds: ['query', 'type'], name: 'queries' },
}

/** What fits equally well: what can be done before what can be looked at, and single things before many. */
const WEIGHTS: Readonly<Record<Kind, number>> = {
  event: 1,
  command: 1,
  view: 0.98,
  bookmark: 0.95,
  state: 0.92,
  actor: 0.94,
  way: 0.85,
  query: 0.86,
  type: 0.88,
  recording: 0.84,
}

const NOWHERE: readonly number[] = []
const LIMIT = 400
/** What fits less well is noise, ... */
const LEAST = 0.2
/** ... and so is what fits much less well than something else. */
const OF_THE_BEST = 0.6
const RECENT_BONUS = 1.06

export interface Ranked {
  readonly found: readonly Found[]
  /** How many fit, shown or not. */
  readonly total: number
}

/** Lines for a text; with none, all by kind, those used lately first. */
export function rank(items: readonly PaletteItem[], text: string, recent: readonly string[] = []): Ranked {
  const sign = SIGNS[text[0] ?? '']
  const wanted = (sign ? text.slice(1) : text).trim()
  const kept = sign ? items.filter(({ kind }) => sign.kinds.includes(kind)) : items
  if (wanted === '') return all(kept, recent)
  const numbers = kept.filter(({ kind }) => kind === 'event')
  const others = kept.filter(({ kind }) => kind !== 'event')
  const results = go(wanted, others, {
    keys: ['title', 'words', 'detail'],
    limit: LIMIT,
    threshold: LEAST,
    scoreFn: ({ score, obj }) => score * weight(obj, recent),
  })
  const least = Math.max(...results.map(({ score }) => score)) * OF_THE_BEST
  const found = results
    .filter(({ score }) => score >= least)
    .map(result => ({ item: result.obj, at: result[0]?.indexes ?? NOWHERE }))
  return {
    found: [...numbers.map(item => ({ item, at: NOWHERE })), ...found],
    total: (found.length < LIMIT ? found.length : results.total) + numbers.length,
  }
}

function weight(item: PaletteItem, recent: readonly string[]): number {
  const known = recent.includes(item.key) ? RECENT_BONUS : 1
  return WEIGHTS[item.kind] * known * (item.disabled === undefined ? 1 : 0.9)
}

function all(items: readonly PaletteItem[], recent: readonly string[]): Ranked {
  const lately = recent.flatMap(key => items.find(item => item.key === key) ?? [])
  const rest = items
    .filter(item => !lately.includes(item))
    .toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  return { found: [...lately, ...rest].map(item => ({ item, at: NOWHERE })), total: items.length }
}
