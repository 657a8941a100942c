// The commands of the console: what any command is, in the console's own sections.
import type { Command, KeyNote as AnyKeyNote } from '../../widgets/palette/command.ts'

/** In the order in which they stand in the palette and on the key sheet. */
export const SECTIONS = ['Move', 'View', 'Time', 'State', 'Drive', 'Judge', 'Recording', 'Layout'] as const
export type Section = (typeof SECTIONS)[number]

/** Something that can be done in the console. */
export type ConsoleCommand = Command<Section>

/** Keys that a view of the console takes while it has the focus. */
export type KeyNote = AnyKeyNote<Section>
