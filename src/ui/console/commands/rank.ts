// What the console's palette has: its kinds of lines, in their order, and the signs that leave some of them.
import type { Grammar } from '../../widgets/palette/palette-item.ts'
import { rank as rankBy, type Ranked } from '../../widgets/palette/rank.ts'
import type { ConsoleItem, Kind } from './palette-items.ts'

/** What fits equally well: what can be done before what can be looked at, and single things before many. */
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

/** Lines for a text; with none, all by kind, those used lately first. */
export const rank = (items: readonly ConsoleItem[], text: string, recent?: readonly string[]): Ranked =>
  rankBy(GRAMMAR, items, text, recent)
