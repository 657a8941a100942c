// Command types of the console, and the hooks with which its views register commands and keys.
import {
  useCommands as useAnyCommands,
  useKeyNotes as useAnyKeyNotes,
} from '../../widgets/palette/use-commands.ts'
import type { Command, KeyNote as AnyKeyNote } from '../../widgets/palette/command.ts'

/** Registers commands with keys, palette and key sheet while the component is mounted. */
export const useCommands: (commands: readonly ConsoleCommand[]) => void = useAnyCommands

/** Lists keys on the sheet that the component handles itself while focused. `notes` must stay the same. */
export const useKeyNotes: (notes: readonly KeyNote[]) => void = useAnyKeyNotes

/** In the order of the palette and the key sheet. */
export const SECTIONS = ['Move', 'View', 'Time', 'State', 'Control', 'Checks', 'Recording', 'Layout'] as const
type Section = (typeof SECTIONS)[number]

/** A command of the console. */
export type ConsoleCommand = Command<Section>

/** Keys that a view of the console handles while it has the focus. */
export type KeyNote = AnyKeyNote<Section>
