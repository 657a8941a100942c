// What can be done in the console, as views offer it: a name, keys, and a function.

/** In the order in which they stand in the palette and on the key sheet. */
export const SECTIONS = ['Move', 'View', 'Time', 'State', 'Drive', 'Judge', 'Recording', 'Layout'] as const
export type Section = (typeof SECTIONS)[number]

/** Something that can be done. */
export interface ConsoleCommand {
  /** Stable, as `mark.a`. */
  readonly id: string
  /** As it stands in the palette: `Mark A here`. */
  readonly title: string
  readonly section: Section
  /** As `M`, `Shift+J`, `Mod+K`, `Space`, `[`; the first is shown. */
  readonly keys?: readonly string[]
  /** Further words to be found by. */
  readonly words?: string
  /** Why it can't be done now. */
  readonly disabled?: string
  /** Within its section the lower stands first; 0 unless told. */
  readonly rank?: number
  readonly run: () => void
}

/** Keys that a view takes while it has the focus, for the sheet alone. */
export interface KeyNote {
  readonly id: string
  readonly section: Section
  readonly keys: readonly string[]
  readonly text: string
}

/** Whether both look the same to whoever lists them; what they do may differ. */
export function isAlike(a: readonly ConsoleCommand[], b: readonly ConsoleCommand[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, at) => {
      const other = b[at]
      return (
        other !== undefined &&
        one.id === other.id &&
        one.title === other.title &&
        one.section === other.section &&
        one.words === other.words &&
        one.disabled === other.disabled &&
        one.keys?.join(' ') === other.keys?.join(' ')
      )
    })
  )
}
