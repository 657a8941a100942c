// One direction of a socket: frames that wait, without overtaking each other unless they are to.
import type { Pauses } from './pauses.ts'

export interface FrameQueue {
  /** Whether a frame may pass at once. */
  isIdle(): boolean
  /** Delivers after the wait, and after everything that came before. */
  push(wait: number, deliver: () => void | Promise<void>): void
  /** Delivers after the next frame, or after a while when none comes. */
  pushBehindNext(wait: number, deliver: () => void | Promise<void>): void
}

/** How long a frame that should come after the next one waits for a next one. */
const NO_NEXT_MS = 1_000
/** A socket with more than this under way is beyond what a fault is for. */
const MOST_WAITING = 10_000

/** `overflow` is called when too many frames wait. */
export function createFrameQueue(pauses: Pauses, overflow: () => void): FrameQueue {
  let waiting = 0
  let tail: Promise<void> = Promise.resolve()
  let aside: (() => void | Promise<void>) | undefined
  const takeAside = async () => {
    const deliver = aside
    aside = undefined
    await deliver?.()
  }
  const enqueue = (wait: number, work: () => void | Promise<void>) => {
    waiting += 1
    if (waiting > MOST_WAITING) overflow()
    tail = tail
      .then(() => pauses.wait(wait))
      .then(work)
      .catch(() => undefined)
      .finally(() => (waiting -= 1))
  }
  const push: FrameQueue['push'] = (wait, deliver) =>
    enqueue(wait, async () => {
      await deliver()
      await takeAside()
    })
  return {
    isIdle: () => waiting === 0 && aside === undefined,
    push,
    pushBehindNext(wait, deliver) {
      if (aside) return push(wait, deliver)
      const late = async () => {
        await pauses.wait(wait)
        await deliver()
      }
      aside = late
      void pauses.wait(NO_NEXT_MS).then(() => {
        if (aside === late) enqueue(0, takeAside)
      })
    },
  }
}
