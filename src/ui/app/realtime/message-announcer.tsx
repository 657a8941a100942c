// Announces new messages to screen readers: the text of one, the number of several.
import { useEffect, useRef, useState } from 'react'
import { VisuallyHidden } from 'react-aria-components'
import { announcementOf, type Entry } from '../../../services/workbench/realtime/index.ts'

/** Minimum pause between announcements in ms. */
const QUIET_MS = 2_000

/**
 * Announces only messages from others; the list itself is not live, since its rows change while scrolling.
 */
export function MessageAnnouncer({ entries }: { readonly entries: readonly Entry[] }) {
  const latest = useRef(entries)
  const announced = useRef(entries.at(-1)?.id ?? 0)
  const [news, setNews] = useState('')
  const newest = entries.at(-1)?.id ?? 0
  useEffect(() => {
    latest.current = entries
  })
  const [isQuiet, setQuiet] = useState(false)
  useEffect(() => {
    if (isQuiet || newest <= announced.current) return
    const text = announcementOf(latest.current, announced.current)
    announced.current = newest
    if (text === undefined) return
    setNews(text)
    setQuiet(true)
  }, [isQuiet, newest])
  useEffect(() => {
    if (!isQuiet) return undefined
    const timer = setTimeout(() => setQuiet(false), QUIET_MS)
    return () => clearTimeout(timer)
  }, [isQuiet])
  return (
    <VisuallyHidden>
      <output>{news}</output>
    </VisuallyHidden>
  )
}
