// The console's keys: what each does, and which command a key press is.

/** What a key can ask for. */
export type Command =
  | 'next'
  | 'previous'
  | 'nextOfActor'
  | 'previousOfActor'
  | 'cause'
  | 'effect'
  | 'play'
  | 'first'
  | 'end'
  | 'fit'
  | 'filter'
  | 'help'

/** The key sheet, in its order. `keys` are `KeyboardEvent.key` values (and `Space`), first the one shown. */
export const KEYS: readonly {
  readonly command: Command
  readonly keys: readonly string[]
  readonly text: string
}[] = [
  { command: 'next', keys: ['J'], text: 'Next event in the log' },
  { command: 'previous', keys: ['K'], text: 'Event before' },
  { command: 'nextOfActor', keys: ['Shift+J'], text: 'Next event of this actor' },
  { command: 'previousOfActor', keys: ['Shift+K'], text: 'Event before, of this actor' },
  { command: 'cause', keys: ['['], text: 'To the cause' },
  { command: 'effect', keys: [']'], text: 'To the first effect' },
  { command: 'play', keys: ['Space'], text: 'Play on from here, or stop; at the end of what is live, stay' },
  { command: 'first', keys: ['G'], text: 'First event' },
  { command: 'end', keys: ['L'], text: 'Back to live, or to the end of a file' },
  { command: 'fit', keys: ['F'], text: 'Fit the chart' },
  { command: 'filter', keys: ['/'], text: 'Filter the log' },
  { command: 'help', keys: ['?'], text: 'This sheet' },
]

interface KeyPress {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/** The command of a key press; none with a modifier other than Shift. */
export function commandOf(press: KeyPress): Command | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey) return undefined
  const letter = /^[a-z]$/i.test(press.key)
  const name = letter
    ? `${press.shiftKey ? 'Shift+' : ''}${press.key.toUpperCase()}`
    : press.key === ' '
      ? 'Space'
      : press.key
  return KEYS.find(({ keys }) => keys.includes(name))?.command
}

/** What the space bar already does something to. */
const PRESSED = 'button, a, summary, [role=tab], [role=option], [role^=menuitem], [role=treeitem], [role=row]'

/** Whether the space bar presses or chooses this element. */
export function takesSpace(target: EventTarget): boolean {
  return target instanceof Element && target.matches(PRESSED)
}

/** Whether the element takes typed text, so that single keys must not act. */
export function takesText(target: EventTarget): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input, textarea, select')
}
