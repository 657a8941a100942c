// Commands of the app, with its sections.
import type { Command, KeyNote } from '../../widgets/palette/command.ts'

/** Sections in display order, for the palette and the key sheet. */
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

/** A command of the app; in the section `Go to`, a destination. */
export type AppCommand = Command<AppSection>

/** Keys that a part of the app handles itself while it has the focus. */
export type AppKeyNote = KeyNote<AppSection>
