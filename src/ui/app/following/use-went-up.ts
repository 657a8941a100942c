// Detects that the user scrolls up in a list that follows its newest entry: by wheel, keys or scrollbar.
import { useRef, type UIEvent } from 'react'

/** Distance to the end that still counts as the end, in pixels. */
const NEAR = 4

/**
 * Returns a `scroll` handler. Growing lists only scroll down automatically, so the user scrolled up.
 * @param onEnd called when the user is back at the end.
 */
export function useWentUp(onUp: () => void, onEnd: () => void): (event: UIEvent<HTMLElement>) => void {
  const last = useRef(0)
  return ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
    const left = scrollHeight - scrollTop - clientHeight
    if (left < NEAR) onEnd()
    else if (scrollTop < last.current) onUp()
    last.current = scrollTop
  }
}
