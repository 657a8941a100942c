// State of a short confirmation.
import { useEffect, useState } from 'react'

const SAID_MS = 1_600

/** Returns whether the confirmation is visible, and its setter; it clears automatically after a moment. */
export function useAnnouncement(): readonly [isSaid: boolean, say: (isSaid: boolean) => void] {
  const [isSaid, say] = useState(false)
  useEffect(() => {
    if (!isSaid) return
    const timer = setTimeout(() => say(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [isSaid])
  return [isSaid, say]
}
