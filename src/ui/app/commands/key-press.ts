// Which command a key press in the app is for: one key, or two one after the other.
import { isApplePlatform, isTaken, keyNameOf, pressedIn } from '../../widgets/palette/key-name.ts'
import type { CommandRegistry } from '../../widgets/palette/registry.ts'

/** The first of two keys, and when it was pressed. */
export interface First {
  readonly name: string
  /** Milliseconds, as the event tells. */
  readonly at: number
}

/** Longer than it takes to find the second key; a letter pressed long ago must not join in. */
const TOGETHER_MS = 1_200

/** Where letters mean something of their own. */
const OWN_LETTERS = '[role=menu], [role=listbox], [role=grid], [role=treegrid], [role=tree], [data-own-keys]'

const isCombined = (name: string) => /^(Mod|Alt)\+/.test(name)

/** Whether the press is nobody's yet, so that a command may have it. */
function isFree(event: KeyboardEvent, name: string): boolean {
  const { target, defaultPrevented, isComposing, repeat } = event
  if (defaultPrevented || isComposing || repeat || isTaken(pressedIn(event), name)) return false
  // Whoever answers a question answers it first.
  if (document.querySelector('[aria-modal=true]')) return false
  return isCombined(name) || !(target instanceof Element && target.closest(OWN_LETTERS))
}

/** The name of the two together, where the first was pressed just now. */
export const joined = (first: First | undefined, name: string, at: number): string | undefined =>
  first && at - first.at < TOGETHER_MS ? `${first.name} ${name}` : undefined

/** Listens on the page; gives back how to stop. */
export function listenForKeys(registry: CommandRegistry): () => void {
  let first: First | undefined
  const onKey = (event: KeyboardEvent) => {
    const name = keyNameOf(event, isApplePlatform())
    if (name === undefined || /(Shift|Control|Alt|Meta)$/.test(name)) return
    if (!isFree(event, name)) {
      first = undefined
      return
    }
    const both = joined(first, name, event.timeStamp)
    const command = (both === undefined ? undefined : registry.forKey(both)) ?? registry.forKey(name)
    first = command ? undefined : { name, at: event.timeStamp }
    if (!command) return
    event.preventDefault()
    registry.run(command.id)
  }
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}
