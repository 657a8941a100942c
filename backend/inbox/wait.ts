// Lets a reader of the inbox wait until there is something new.
import type { Inbox } from './store.ts'

const LONGEST_SECONDS = 30

/** Resolves as soon as `hasNews`, after the seconds, or when the reader has gone, whichever comes first. */
export function waitForChange(
  inbox: Pick<Inbox, 'subscribe'>,
  hasNews: () => boolean,
  seconds: number,
  gone: AbortSignal,
): Promise<void> {
  const ms = Math.min(Number.isFinite(seconds) ? seconds : 0, LONGEST_SECONDS) * 1_000
  if (hasNews() || !(ms > 0) || gone.aborted) return Promise.resolve()
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      unsubscribe()
      gone.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    const unsubscribe = inbox.subscribe(() => {
      if (hasNews()) end()
    })
    gone.addEventListener('abort', end)
  })
}
