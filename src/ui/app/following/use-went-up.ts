// Notices that somebody scrolls up in a list that follows its newest entry: by wheel, by keys or by the bar.
import { useRef, type UIEvent } from 'react'

/** Nearer to the end than this is the end. */
const NEAR = 4

/**
 * A handler of `scroll`. A list that grows only ever scrolls down by itself, so that whatever goes up is its reader.
 * @param onEnd called when the reader is at the end again.
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
