// One direction of a socket: delays frames while keeping their order, unless a fault reorders them.
import type { Pauses } from './pauses.ts'

export interface FrameQueue {
  /** Whether a frame can be delivered immediately. */
  isIdle(): boolean
  /** Delivers after the delay and after all earlier frames. */
  push(wait: number, deliver: () => void | Promise<void>): void
  /** Delivers after the next frame, or after a timeout if there is none. */
  pushBehindNext(wait: number, deliver: () => void | Promise<void>): void
}

/** How long a reordered frame waits for the next one. */
const NO_NEXT_MS = 1_000
/** A socket with more queued frames than this is closed; faults are not meant for such loads. */
const MOST_WAITING = 10_000

/** `overflow` is called if too many frames are queued. */
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
      const flushLate = async () => {
        await pauses.wait(wait)
        await deliver()
      }
      aside = flushLate
      void pauses.wait(NO_NEXT_MS).then(() => {
        if (aside === flushLate) enqueue(0, takeAside)
      })
    },
  }
}
