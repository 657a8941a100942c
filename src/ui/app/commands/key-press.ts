// Maps key presses in the app to commands: single keys and two-key sequences.
import { isApplePlatform, isTaken, keyNameOf, pressedIn } from '../../widgets/palette/key-name.ts'
import type { CommandRegistry } from '../../widgets/palette/registry.ts'

/** First key of a sequence, and when it was pressed. */
export interface First {
  readonly name: string
  /** Event timestamp in milliseconds. */
  readonly at: number
}

/** Time limit for the second key, so that a letter pressed long ago does not count. */
const TOGETHER_MS = 1_200

/** Elements that handle letter keys themselves. */
const OWN_LETTERS = '[role=menu], [role=listbox], [role=grid], [role=treegrid], [role=tree], [data-own-keys]'

const isCombined = (name: string) => /^(Mod|Alt)\+/.test(name)

/** Whether no element handles the key press, so that a command may. */
function isFree(event: KeyboardEvent, name: string): boolean {
  const { target, defaultPrevented, isComposing, repeat } = event
  if (defaultPrevented || isComposing || repeat || isTaken(pressedIn(event), name)) return false
  // An open dialog takes precedence.
  if (document.querySelector('[aria-modal=true]')) return false
  return isCombined(name) || !(target instanceof Element && target.closest(OWN_LETTERS))
}

/** Name of the two-key sequence if the first key was pressed recently. */
export const joined = (first: First | undefined, name: string, at: number): string | undefined =>
  first && at - first.at < TOGETHER_MS ? `${first.name} ${name}` : undefined

/** Listens on the window; returns a function that stops listening. */
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
