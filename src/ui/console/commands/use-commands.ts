// How the console's views offer commands and keys to the console around them.
import {
  useCommands as useAnyCommands,
  useKeyNotes as useAnyKeyNotes,
} from '../../widgets/palette/use-commands.ts'
import type { ConsoleCommand, KeyNote } from './command.ts'

export type { ConsoleCommand, KeyNote } from './command.ts'
export { CommandsContext, useOffered, useRegistry } from '../../widgets/palette/use-commands.ts'

/** Offers these for as long as the component is there: to keys, palette and key sheet. */
export const useCommands: (commands: readonly ConsoleCommand[]) => void = useAnyCommands

/** Lists keys on the sheet that the component takes by itself while it has the focus. `notes` must stay the same. */
export const useKeyNotes: (notes: readonly KeyNote[]) => void = useAnyKeyNotes
