// What the app's palette has: things to do and places to go to.
import type { Command } from '../../widgets/palette/command.ts'
import { commandItems, type Grammar, type PaletteItem } from '../../widgets/palette/palette-item.ts'
import type { AppSection } from './app-command.ts'

const PLACES: AppSection = 'Go to'

/** Places stand first: most of the time somebody wants to be somewhere else. */
export const GRAMMAR: Grammar = {
  kinds: {
    place: { word: 'go to', weight: 1 },
    command: { word: '', weight: 0.98 },
  },
  signs: {
    '/': { kinds: ['place'], name: 'places' },
    '>': { kinds: ['command'], name: 'commands' },
  },
}

/** How many are remembered as used lately. */
const KEPT = 5

/** What is offered, as lines. */
export const appItems = (offered: readonly Command[]): readonly PaletteItem[] =>
  commandItems(offered).map(item => (item.detail === PLACES ? { ...item, kind: 'place', detail: '' } : item))

/** Those used lately, with this one first. */
export const withUsed = (used: readonly string[], key: string): readonly string[] =>
  [key, ...used.filter(known => known !== key)].slice(0, KEPT)
