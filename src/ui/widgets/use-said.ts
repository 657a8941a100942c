// What is said for a moment where it was done.
import { useEffect, useState } from 'react'

const SAID_MS = 1_600

/** Whether it is said now, and how to say it; by itself it is over soon. */
export function useSaid(): readonly [isSaid: boolean, say: (isSaid: boolean) => void] {
  const [isSaid, say] = useState(false)
  useEffect(() => {
    if (!isSaid) return
    const timer = setTimeout(() => say(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [isSaid])
  return [isSaid, say]
}
