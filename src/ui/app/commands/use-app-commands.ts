// How the app's pages offer commands and keys to the palette and the key sheet.
import { useCommands, useKeyNotes } from '../../widgets/palette/use-commands.ts'
import type { AppCommand, AppKeyNote } from './app-command.ts'

export type { AppCommand, AppKeyNote } from './app-command.ts'

/**
 * Offers these for as long as the component is there: found with Mod+K, run by their keys, listed on the sheet.
 * Give the same list while nothing changed (`useMemo`); a key is one as `Mod+S`, or two one after the other as `G D`.
 */
export const useAppCommands: (commands: readonly AppCommand[]) => void = useCommands

/** Lists keys on the sheet that the component takes by itself while it has the focus. `notes` must stay the same. */
export const useAppKeyNotes: (notes: readonly AppKeyNote[]) => void = useKeyNotes
