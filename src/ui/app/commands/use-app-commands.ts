// Hooks for the app's pages to register commands and key notes.
import { useCommands, useKeyNotes } from '../../widgets/palette/use-commands.ts'
import type { AppCommand, AppKeyNote } from './app-command.ts'

export type { AppCommand, AppKeyNote } from './app-command.ts'

/**
 * Registers commands while the component is mounted: listed in the palette (Mod+K) and on the key sheet, run by
 * their keys. Pass the same list while nothing changed (`useMemo`). Keys are `Mod+S` or a sequence such as `G D`.
 */
export const useAppCommands: (commands: readonly AppCommand[]) => void = useCommands

/** Lists keys on the sheet that the component handles itself while it has the focus. `notes` must be stable. */
export const useAppKeyNotes: (notes: readonly AppKeyNote[]) => void = useKeyNotes
