// While the bar shows the past, the first press in the page only ends that: nothing is written in the belief that
// it is still then.
import { CONSOLE_BUTTON } from '../shell/use-console-toggle.ts'

const CONSOLE = '[data-own-keys]'
const FREE = `${CONSOLE}, [data-past-line], #${CONSOLE_BUTTON}`
/** Outside of it are only overlays: next to a docked console, those of the console. */
const APP = '#root'

const POINTER = [
  'pointerdown',
  'mousedown',
  'pointerup',
  'mouseup',
  'click',
  'dblclick',
  'contextmenu',
] as const

/** Keys that only move the focus or scroll, and modifiers. */
const HARMLESS = /^(?:Tab|Escape|Shift|Control|Alt|Meta|Arrow\w+|Page\w+|Home|End|F\d+)$/

function isGuarded(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || target === document.body) return true
  if (target.closest(FREE)) return false
  return target.closest(APP) !== null || document.querySelector(CONSOLE) === null
}

/** Opens or closes the console, or its palette. */
const isForConsole = ({ code, key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  (ctrlKey && code === 'Backquote') ||
  (altKey && code === 'KeyC') ||
  ((ctrlKey || metaKey) && key.toLowerCase() === 'k')

/** A shortcut of the app, which also works while the focus is in the console. */
const isAppShortcut = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey || event.altKey) &&
  event.target instanceof Element &&
  event.target.closest(CONSOLE) !== null &&
  !isForConsole(event)

/**
 * Calls back at the first press or key in the page, and swallows it. Returns a function that ends the guard; a
 * press that has begun is swallowed to its end.
 */
export function guardPage(onPress: () => void): () => void {
  const listening = new AbortController()
  let isOver = false
  let isPressing = false
  let pressedKey: string | undefined
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const settle = () => {
    if (isOver && !isPressing && pressedKey === undefined) listening.abort()
  }
  const onPointer = (event: Event) => {
    const { type, target } = event
    const isFirst = type === 'pointerdown'
    if (isPressing && !isFirst) {
      swallow(event)
      isPressing = type !== 'click'
    } else {
      // A screen reader clicks without a press.
      const isSwallowed = !isOver && isGuarded(target)
      isPressing = isSwallowed && isFirst
      if (isSwallowed) {
        swallow(event)
        onPress()
      }
    }
    settle()
  }
  const onDrop = (event: Event) => {
    if (isOver || !isGuarded(event.target)) return
    swallow(event)
    onPress()
  }
  const onKey = (event: KeyboardEvent) => {
    if (isOver || HARMLESS.test(event.key) || isForConsole(event) || !isGuarded(event.target)) return
    pressedKey = event.code
    swallow(event)
    onPress()
  }
  const onKeyUp = (event: KeyboardEvent) => {
    if (event.code !== pressedKey) return
    swallow(event)
    pressedKey = undefined
    settle()
  }
  const { signal } = listening
  const capture = { capture: true, signal }
  for (const type of POINTER) window.addEventListener(type, onPointer, capture)
  window.addEventListener('drop', onDrop, capture)
  window.addEventListener('keydown', onKey, capture)
  window.addEventListener('keyup', onKeyUp, capture)
  document.addEventListener('keydown', event => isAppShortcut(event) && event.stopPropagation(), { signal })
  return () => {
    isOver = true
    settle()
  }
}
