// What is said about a topic to whoever listens: the newest words, and when many come, how many.
import { useEffect, useRef, useState } from 'react'
import { VisuallyHidden } from 'react-aria-components'
import { newsOf, type Entry } from './message-log.ts'

/** So long after one piece of news nothing is said: a voice needs its time. */
const QUIET_MS = 2_000

/** Only what others sent is told; the list itself is silent, for its rows come and go as one scrolls. */
export function MessageNews({ entries }: { readonly entries: readonly Entry[] }) {
  const latest = useRef(entries)
  const told = useRef(entries.at(-1)?.id ?? 0)
  const [news, setNews] = useState('')
  const newest = entries.at(-1)?.id ?? 0
  useEffect(() => {
    latest.current = entries
  })
  const [isQuiet, setQuiet] = useState(false)
  useEffect(() => {
    if (isQuiet || newest <= told.current) return
    const words = newsOf(latest.current, told.current)
    told.current = newest
    if (words === undefined) return
    setNews(words)
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
