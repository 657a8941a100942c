// Long polling: waits until the inbox changes.
import type { Inbox } from './store.ts'

const LONGEST_SECONDS = 30

/** Resolves when `hasNews` is true, after the given seconds, or when `gone` aborts, whichever is first. */
export function waitForChange(
  inbox: Pick<Inbox, 'subscribe'>,
  hasNews: () => boolean,
  seconds: number,
  disconnected: AbortSignal,
): Promise<void> {
  const ms = Math.min(Number.isFinite(seconds) ? seconds : 0, LONGEST_SECONDS) * 1_000
  if (hasNews() || !(ms > 0) || disconnected.aborted) return Promise.resolve()
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      unsubscribe()
      disconnected.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    const unsubscribe = inbox.subscribe(() => {
      if (hasNews()) end()
    })
    disconnected.addEventListener('abort', end)
  })
}
