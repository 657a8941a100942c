// Ctrl+Enter anywhere in a form sends it, also from a field of several lines.
import { useEffect, useRef, type RefObject } from 'react'

/** A ref to put on the form. */
export function useCtrlEnter(send: () => void): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  const latest = useRef(send)
  useEffect(() => {
    latest.current = send
  })
  useEffect(() => {
    const element = form.current
    if (!element) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      event.stopPropagation()
      latest.current()
    }
    // Before the fields, which have a use for Enter of their own.
    element.addEventListener('keydown', onKey, { capture: true })
    return () => element.removeEventListener('keydown', onKey, { capture: true })
  }, [])
  return form
}
