// Contents of the app's palette: commands and destinations.
import type { Command } from '../../widgets/palette/command.ts'
import { commandItems, type Grammar, type PaletteItem } from '../../widgets/palette/palette-item.ts'
import type { AppSection } from './app-command.ts'

const PLACES: AppSection = 'Go to'

/** Destinations come first: most users open the palette to navigate. */
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

/** Number of remembered recent items. */
const KEPT = 5

/** Converts the registered commands to palette lines. */
export const appItems = (offered: readonly Command[]): readonly PaletteItem[] =>
  commandItems(offered).map(item => (item.detail === PLACES ? { ...item, kind: 'place', detail: '' } : item))

/** Recent items, with this one first. */
export const withUsed = (used: readonly string[], key: string): readonly string[] =>
  [key, ...used.filter(known => known !== key)].slice(0, KEPT)
