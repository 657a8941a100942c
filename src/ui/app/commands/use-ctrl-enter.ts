// Ctrl+Enter sends a form: from anywhere in it, also a field of several lines, or from anywhere on its page.
import { useEffect, useRef, type RefObject } from 'react'
import { PAGE_ID } from '../shell/by-ear-and-key.tsx'

/** Buttons and fields of the page have a use for Enter of their own; what asks something is answered first. */
const isOfPage = ({ target }: KeyboardEvent): boolean => {
  if (!(target instanceof Element) || document.querySelector('[aria-modal=true]')) return false
  return target === document.body || target.closest(`#${PAGE_ID}`) !== null
}

/** A ref to put on the form. */
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
    // Before the fields, which have a use for Enter of their own.
    const listened: GlobalEventHandlers = element
    listened.addEventListener('keydown', onKey, { capture: true })
    return () => listened.removeEventListener('keydown', onKey, { capture: true })
  }, [from])
  return form
}
