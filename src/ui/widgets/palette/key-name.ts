// Names of key presses as commands have them, as `Shift+J` or `Mod+K`, and as the platform prints them.

export interface KeyPress {
  readonly key: string
  /** Where the key lies, as `KeyJ`, for layouts whose letters are not Latin. */
  readonly code?: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/** The name of a press; nothing for modifiers alone and for the other platform's shortcuts. */
export function keyNameOf(press: KeyPress, isApple: boolean): string | undefined {
  const { key, code = '', shiftKey, ctrlKey, metaKey, altKey } = press
  if (isApple ? ctrlKey : metaKey) return undefined
  const isMod = isApple ? metaKey : ctrlKey
  const isLetter = /^\p{L}$/u.test(key)
  // The letter on the cap of a Latin keyboard, where another alphabet is typed.
  const letter = isLetter && !/^[a-z]$/i.test(key) ? (/^Key([A-Z])$/.exec(code)?.[1] ?? key) : key
  const name = key === ' ' ? 'Space' : isLetter ? letter.toUpperCase() : key
  // What Shift made of a digit or a sign is in its name already.
  const isShown = shiftKey && (isLetter || name.length > 1)
  return [isMod && 'Mod', altKey && 'Alt', isShown && 'Shift', name].filter(Boolean).join('+')
}

const CAPS: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  PageUp: 'Page ↑',
  PageDown: 'Page ↓',
  '-': '−',
}
const APPLE: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '↩', Delete: '⌦' }
const OTHERS: Readonly<Record<string, string>> = { Mod: 'Ctrl' }

/** A name as the caps of the keyboard have it: `Ctrl K`, or `⌘K`. */
export function keyLabel(name: string, isApple: boolean): string {
  // A plus sign is a key as well as what joins names.
  const parts = name.split(/(?<=.)\+(?=.)/)
  const caps = parts.map(part => (isApple ? APPLE : OTHERS)[part] ?? CAPS[part] ?? part)
  return caps.join(isApple ? '' : ' ')
}

/** Whether the platform has a Command key. */
export const isApplePlatform = (): boolean => /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '')

/** What the space bar and Enter already do something to. */
const PRESSED = 'button, a, summary, [role=tab], [role=option], [role^=menuitem], [role=treeitem], [role=row]'

/** What the key was pressed in; an editor in a shadow root is hidden by its host from whoever asks for the target. */
export const pressedIn = (event: Event): EventTarget | null => event.composedPath()[0] ?? event.target

/** Whether the element already does something on this key, so that no command must. */
export function isTaken(target: EventTarget | null, name: string): boolean {
  if (!(target instanceof Element)) return false
  const isText = target.matches('input, textarea, select') || isEditable(target)
  // A tree in which a name is being typed takes its letters.
  if (isText || target.matches('[data-typing]')) return !/^(Mod|Alt)\+/.test(name)
  return (name === 'Space' || name === 'Enter') && target.matches(PRESSED)
}

const isEditable = (target: Element): boolean => target instanceof HTMLElement && target.isContentEditable
