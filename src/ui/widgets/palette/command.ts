// What can be done, as views offer it to keys, palette and key sheet: a name, keys, and a function.

/** Something that can be done. */
export interface Command<Section extends string = string> {
  /** Stable, as `mark.a`. */
  readonly id: string
  /** As it stands in the palette: `Mark A here`. */
  readonly title: string
  readonly section: Section
  /** As `M`, `Shift+J`, `Mod+K`, `Space`, `[`, or `G D` for one after the other; the first is shown. */
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
export interface KeyNote<Section extends string = string> {
  readonly id: string
  readonly section: Section
  readonly keys: readonly string[]
  readonly text: string
}

/** Whether both look the same to whoever lists them; what they do may differ. */
export function isAlike(a: readonly Command[], b: readonly Command[]): boolean {
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
