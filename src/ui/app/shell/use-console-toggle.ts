// Open state of the console: stored in the browser, toggled by button and shortcut, with focus management.
import { useCallback, useEffect, useRef, useState } from 'react'
import { boolean } from 'valibot'
import { readSetting, writeSetting } from '../../../services/workbench/storage/index.ts'

export interface ConsoleToggle {
  readonly isOpen: boolean
  /** True if the user opened the console, so that it takes the focus; false if it was open at page load. */
  readonly takesFocus: boolean
  readonly toggle: () => void
  readonly open: () => void
  readonly close: () => void
}

/** Shortcuts as the tooltip shows them; Alt+C is for layouts in which the backtick is a dead key. */
export const CONSOLE_KEYS = 'Ctrl+` or Alt+C'

/** Id of the button that opens it, which takes the focus back if no element had it before. */
export const CONSOLE_BUTTON = 'console-button'

const isToggle = (event: KeyboardEvent) =>
  (event.code === 'Backquote' && event.ctrlKey && !event.altKey && !event.metaKey) ||
  (event.code === 'KeyC' && event.altKey && !event.ctrlKey && !event.metaKey)

/** Listens for the shortcuts while mounted. */
export const useConsoleToggle = (): ConsoleToggle => {
  const [isOpen, setOpen] = useState(() => readSetting('console', boolean(), false))
  const [takesFocus, setTakesFocus] = useState(false)
  const before = useRef<Element>(null)
  const close = useCallback(() => {
    setOpen(false)
    const { current } = before
    const isThere = current instanceof HTMLElement && current.isConnected && current !== document.body
    const back = isThere ? current : document.getElementById(CONSOLE_BUTTON)
    back?.focus()
  }, [])
  const open = useCallback(() => {
    before.current = document.activeElement
    setTakesFocus(true)
    setOpen(true)
  }, [])
  const toggle = useCallback(() => (isOpen ? close() : open()), [isOpen, open, close])
  useEffect(() => writeSetting('console', isOpen), [isOpen])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isToggle(event)) return
      event.preventDefault()
      toggle()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [toggle])
  return { isOpen, takesFocus, toggle, open, close }
}
