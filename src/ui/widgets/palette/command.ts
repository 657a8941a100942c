// A command for shortcuts, palette and key sheet: a name, keys and a function.

/** A command. */
export interface Command<Section extends string = string> {
  /** Stable id, such as `mark.a`. */
  readonly id: string
  /** Title in the palette: `Mark A here`. */
  readonly title: string
  readonly section: Section
  /** Such as `M`, `Shift+J`, `Mod+K`, `Space`, `[`, or the sequence `G D`; the first is shown. */
  readonly keys?: readonly string[]
  /** Additional search terms. */
  readonly words?: string
  /** Reason why the command is unavailable. */
  readonly disabled?: string
  /** Order in its section, lowest first; defaults to 0. */
  readonly rank?: number
  readonly run: () => void
}

/** Keys that a view handles while it has the focus; only listed on the key sheet. */
export interface KeyNote<Section extends string = string> {
  readonly id: string
  readonly section: Section
  readonly keys: readonly string[]
  readonly text: string
}

/** Whether two commands are equal for display; their functions may differ. */
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
