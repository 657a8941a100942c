// Command types of the console, with the console's own sections.
import type { Command, KeyNote as AnyKeyNote } from '../../widgets/palette/command.ts'

/** In the order of the palette and the key sheet. */
export const SECTIONS = ['Move', 'View', 'Time', 'State', 'Control', 'Checks', 'Recording', 'Layout'] as const
export type Section = (typeof SECTIONS)[number]

/** A command of the console. */
export type ConsoleCommand = Command<Section>

/** Keys that a view of the console handles while it has the focus. */
export type KeyNote = AnyKeyNote<Section>
