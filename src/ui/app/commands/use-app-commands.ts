// Hooks for the app's pages to register commands and key notes.
import { useCommands, useKeyNotes } from '../../widgets/palette/use-commands.ts'
import type { AppCommand, AppKeyNote } from './app-command.ts'

/**
 * Registers commands while the component is mounted: the palette (Mod+K) and the key sheet list them, and
 * their keys run them. Pass the same list while nothing changed (`useMemo`). Keys are `Mod+S` or a sequence
 * such as `G D`.
 */
export const useAppCommands: (commands: readonly AppCommand[]) => void = useCommands

/** Lists keys on the sheet that the component handles itself while focused. `notes` must be stable. */
export const useAppKeyNotes: (notes: readonly AppKeyNote[]) => void = useKeyNotes
