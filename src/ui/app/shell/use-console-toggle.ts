// Whether the console is open: kept in the browser, toggled by button and by key, with the focus led there and back.
import { useCallback, useEffect, useRef, useState } from 'react'
import { boolean } from 'valibot'
import { readSetting, writeSetting } from '../local-store.ts'

export interface ConsoleToggle {
  readonly isOpen: boolean
  /** Whether the console was opened by hand, so that the focus goes along; not when the page came up with it. */
  readonly takesFocus: boolean
  readonly toggle: () => void
  readonly open: () => void
  readonly close: () => void
}

/** The keys, as the tooltip shows them; Alt+C is for layouts on which the backtick is a dead key. */
export const CONSOLE_KEYS = 'Ctrl+` or Alt+C'

/** The element that opens it, for whoever had the focus nowhere before. */
export const CONSOLE_BUTTON = 'console-button'

const isToggle = (event: KeyboardEvent) =>
  (event.code === 'Backquote' && event.ctrlKey && !event.altKey && !event.metaKey) ||
  (event.code === 'KeyC' && event.altKey && !event.ctrlKey && !event.metaKey)

/** Listens for the keys while mounted. */
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
