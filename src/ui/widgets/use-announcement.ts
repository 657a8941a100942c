// State of a short confirmation.
import { useEffect, useState } from 'react'

const SAID_MS = 1_600

/** Returns whether the confirmation is visible, and its setter; it clears automatically after a moment. */
export function useAnnouncement(): readonly [isSaid: boolean, say: (isAnnounced: boolean) => void] {
  const [isAnnounced, setAnnounced] = useState(false)
  useEffect(() => {
    if (!isAnnounced) return
    const timer = setTimeout(() => setAnnounced(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [isAnnounced])
  return [isAnnounced, setAnnounced]
}
