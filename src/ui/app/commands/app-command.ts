// The commands of the app: what any command is, in the app's own sections.
import type { Command, KeyNote } from '../../widgets/palette/command.ts'

/** In the order in which they stand in the palette and on the key sheet. */
export const SECTIONS = [
  'Go to',
  'Data',
  'Table',
  'Files',
  'Functions',
  'Realtime',
  'Account',
  'Connection',
  'View',
  'Help',
] as const
export type AppSection = (typeof SECTIONS)[number]

/** Something that can be done in the app; in the section `Go to`, a place to be gone to. */
export type AppCommand = Command<AppSection>

/** Keys that a part of the app takes by itself while it has the focus. */
export type AppKeyNote = KeyNote<AppSection>
