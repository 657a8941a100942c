// Names of key presses in commands, such as `Shift+J` or `Mod+K`, and their display form per platform.

export interface KeyPress {
  readonly key: string
  /** Physical key, such as `KeyJ`, for layouts with non-Latin letters. */
  readonly code?: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/** Name of a key press; undefined for lone modifiers and for the other platform's shortcuts. */
export function keyNameOf(press: KeyPress, isApple: boolean): string | undefined {
  const { key, code = '', shiftKey, ctrlKey, metaKey, altKey } = press
  if (isApple ? ctrlKey : metaKey) return undefined
  const isMod = isApple ? metaKey : ctrlKey
  const isLetter = /^\p{L}$/u.test(key)
  // With a non-Latin layout, the letter that the key has on a Latin keyboard.
  const letter = isLetter && !/^[a-z]$/i.test(key) ? (/^Key([A-Z])$/.exec(code)?.[1] ?? key) : key
  const name = key === ' ' ? 'Space' : isLetter ? letter.toUpperCase() : key
  // The name of a digit or sign already includes the effect of Shift.
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

/** Display form of a name: `Ctrl K`, or `⌘K`. */
export function keyLabel(name: string, isApple: boolean): string {
  // A plus sign is also the separator of names.
  const parts = name.split(/(?<=.)\+(?=.)/)
  const caps = parts.map(part => (isApple ? APPLE : OTHERS)[part] ?? CAPS[part] ?? part)
  return caps.join(isApple ? '' : ' ')
}

/** Whether the platform has a Command key. */
export const isApplePlatform = (): boolean => /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '')

/** Elements that react to Space and Enter themselves. */
const PRESSED = 'button, a, summary, [role=tab], [role=option], [role^=menuitem], [role=treeitem], [role=row]'

/** The element the key was pressed in; `event.target` hides an editor in a shadow root behind its host. */
export const pressedIn = (event: Event): EventTarget | null => event.composedPath()[0] ?? event.target

/** Whether the element handles this key itself, so that no command may. */
export function isTaken(target: EventTarget | null, name: string): boolean {
  if (!(target instanceof Element)) return false
  const isText = target.matches('input, textarea, select') || isEditable(target)
  // A tree takes letters while an item is being renamed.
  if (isText || target.matches('[data-typing]')) return !/^(Mod|Alt)\+/.test(name)
  return (name === 'Space' || name === 'Enter') && target.matches(PRESSED)
}

const isEditable = (target: Element): boolean => target instanceof HTMLElement && target.isContentEditable
