// Ctrl+Enter submits a form: from anywhere in it, including multi-line fields, or from anywhere on its page.
import { useEffect, useRef, type RefObject } from 'react'
import { PAGE_ID } from '../shell/skip-links.tsx'

/** Excludes events outside of the page, and all events while a modal dialog is open. */
const isOfPage = ({ target }: KeyboardEvent): boolean => {
  if (!(target instanceof Element) || document.querySelector('[aria-modal=true]')) return false
  return target === document.body || target.closest(`#${PAGE_ID}`) !== null
}

/** Returns a ref for the form. */
export function useCtrlEnter(
  send: () => void,
  from: 'form' | 'page' = 'form',
): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  const latest = useRef(send)
  useEffect(() => {
    latest.current = send
  })
  useEffect(() => {
    const element = from === 'page' ? window : form.current
    if (!element) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      if (from === 'page' && !isOfPage(event)) return
      event.preventDefault()
      event.stopPropagation()
      latest.current()
    }
    // In the capture phase, because buttons and fields handle Enter themselves.
    const listened: GlobalEventHandlers = element
    listened.addEventListener('keydown', onKey, { capture: true })
    return () => listened.removeEventListener('keydown', onKey, { capture: true })
  }, [from])
  return form
}
