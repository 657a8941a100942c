// Ranks the lines of a palette by how well they match the typed text.
import { go } from 'fuzzysort'
import type { Grammar, PaletteItem } from './palette-item.ts'

/** A line and the positions of the matched letters in its title. */
export interface Found {
  readonly item: PaletteItem
  readonly at: readonly number[]
}

export interface Ranked {
  readonly found: readonly Found[]
  /** Number of matches, shown or not. */
  readonly total: number
}

const NOWHERE: readonly number[] = []
const LIMIT = 400
/** Matches below this score are dropped as noise… */
const LEAST = 0.2
/** …and so are matches below this fraction of the best score. */
const OF_THE_BEST = 0.6
const RECENT_BONUS = 1.06
const DISABLED_MALUS = 0.9

/** Returns the lines for a text; without a text all lines by kind, recent ones first. */
export function rank(
  grammar: Grammar,
  items: readonly PaletteItem[],
  text: string,
  recent: readonly string[] = [],
): Ranked {
  const sign = grammar.signs[text[0] ?? '']
  const wanted = (sign ? text.slice(1) : text).trim()
  const kept = sign ? items.filter(({ kind }) => sign.kinds.includes(kind)) : items
  if (wanted === '') return all(grammar, kept, recent)
  const asked = kept.filter(({ kind }) => grammar.kinds[kind]?.isAsked === true)
  const others = asked.length === 0 ? kept : kept.filter(item => !asked.includes(item))
  const results = go(wanted, others, {
    keys: ['title', 'words', 'detail'],
    limit: LIMIT,
    threshold: LEAST,
    scoreFn: ({ score, obj }) => score * weight(grammar, obj, recent),
  })
  const least = Math.max(...results.map(({ score }) => score)) * OF_THE_BEST
  const found = results
    .filter(({ score }) => score >= least)
    .map(result => ({ item: result.obj, at: result[0]?.indexes ?? NOWHERE }))
  return {
    found: [...asked.map(item => ({ item, at: NOWHERE })), ...found],
    total: (found.length < LIMIT ? found.length : results.total) + asked.length,
  }
}

function weight(grammar: Grammar, item: PaletteItem, recent: readonly string[]): number {
  const known = recent.includes(item.key) ? RECENT_BONUS : 1
  const own = grammar.kinds[item.kind]?.weight ?? 1
  return own * known * (item.disabled === undefined ? 1 : DISABLED_MALUS)
}

function all(grammar: Grammar, items: readonly PaletteItem[], recent: readonly string[]): Ranked {
  const kinds = Object.keys(grammar.kinds)
  const lately = recent.flatMap(key => items.find(item => item.key === key) ?? [])
  const rest = items
    .filter(item => !lately.includes(item))
    .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
  return { found: [...lately, ...rest].map(item => ({ item, at: NOWHERE })), total: items.length }
}
