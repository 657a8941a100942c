// The console palette's grammar: item kinds in order, and prefixes that select some of them.
import type { Grammar } from '../../widgets/palette/palette-item.ts'
import { rank as rankBy, type Ranked } from '../../widgets/palette/rank.ts'
import type { ConsoleItem, Kind } from './palette-items.ts'

/** Tie-breaking order: actions before places, and single items before collections. */
const KINDS: Readonly<Record<Kind, Grammar['kinds'][string]>> = {
  command: { word: '', weight: 1 },
  view: { word: 'layout', weight: 0.98 },
  bookmark: { word: 'bookmark', weight: 0.95 },
  query: { word: 'query', weight: 0.86, isValue: true },
  actor: { word: 'actor', weight: 0.94, isValue: true },
  state: { word: 'state', weight: 0.92, isValue: true },
  way: { word: 'drive', weight: 0.85 },
  type: { word: 'event type', weight: 0.88, isValue: true },
  recording: { word: 'recording', weight: 0.84 },
  event: { word: 'event', weight: 1, isValue: true, isAsked: true },
}

/** The grammar of the console's palette. */
export const GRAMMAR: Grammar = {
  kinds: KINDS,
  signs: {
    '>': { kinds: ['command'], name: 'commands' },
    '@': { kinds: ['actor'], name: 'actors' },
    ':': { kinds: ['state', 'way'], name: 'states' },
    '#': { kinds: ['event', 'bookmark'], name: 'event number' },
    '/': { kinds: ['query', 'type'], name: 'queries' },
  },
}

/** Returns the items for a text; without text, all by kind, recently used ones first. */
export const rank = (items: readonly ConsoleItem[], text: string, recent?: readonly string[]): Ranked =>
  rankBy(GRAMMAR, items, text, recent)
