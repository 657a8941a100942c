// Presses in the page while the bar shows the past: the user is back at now, and so is the bar.
import { CONSOLE_BUTTON } from '../shell/use-console-toggle.ts'

const CONSOLE = '[data-own-keys]'
const NOT_THE_PAGE = `${CONSOLE}, [data-past-line], #${CONSOLE_BUTTON}`
/** Outside of it are only overlays: next to a docked console, those of the console. */
const APP = '#root'

/** Keys that only move the focus or scroll, and modifiers. */
const HARMLESS = /^(?:Tab|Escape|Shift|Control|Alt|Meta|Arrow\w+|Page\w+|Home|End|F\d+)$/

function isInPage(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || target === document.body) return true
  if (target.closest(NOT_THE_PAGE)) return false
  return target.closest(APP) !== null || document.querySelector(CONSOLE) === null
}

/** Opens or closes the console, or its palette. */
const isForConsole = ({ code, key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  (ctrlKey && code === 'Backquote') ||
  (altKey && code === 'KeyC') ||
  ((ctrlKey || metaKey) && key.toLowerCase() === 'k')

/** Calls back before each press or key in the page acts. Returns an unsubscribe function. */
export function onPagePress(listener: () => void): () => void {
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  // A screen reader clicks without a press.
  for (const type of ['pointerdown', 'click', 'drop'] as const)
    window.addEventListener(type, ({ target }) => isInPage(target) && listener(), options)
  const onKey = (event: KeyboardEvent) => {
    if (!HARMLESS.test(event.key) && !isForConsole(event) && isInPage(event.target)) listener()
  }
  window.addEventListener('keydown', onKey, options)
  return () => listening.abort()
}
