// Hooks with which the console's views register commands and keys.
import {
  useCommands as useAnyCommands,
  useKeyNotes as useAnyKeyNotes,
} from '../../widgets/palette/use-commands.ts'
import type { ConsoleCommand, KeyNote } from './command.ts'

/** Registers commands with keys, palette and key sheet while the component is mounted. */
export const useCommands: (commands: readonly ConsoleCommand[]) => void = useAnyCommands

/** Lists keys on the sheet that the component handles itself while focused. `notes` must stay the same. */
export const useKeyNotes: (notes: readonly KeyNote[]) => void = useAnyKeyNotes
