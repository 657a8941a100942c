// The heartbeat of a socket: beats at a fixed interval, also in hidden pages, and detects missing responses.
import type { Clock, TimerHandle } from '../../runtime/index.ts'

export interface HeartbeatOptions {
  readonly every: number
  /** Milliseconds within which a frame must arrive after a beat. */
  readonly deadline: number
  readonly clock: Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>
  readonly ping: () => void
  readonly onSilent: () => void
}

/** Starts the heartbeat. Call `heard` for every frame that arrives; any frame counts as a response. */
export function startHeartbeat({ every, deadline, clock, ping, onSilent }: HeartbeatOptions) {
  let last = clock.now()
  let waiting: TimerHandle
  let timer: TimerHandle
  const replied = () => {
    clock.clearTimeout(waiting)
    waiting = undefined
  }
  const beat = () => {
    // The page timer and the worker both call this.
    if (clock.now() - last < every / 2) return
    last = clock.now()
    ping()
    waiting ??= clock.setTimeout(onSilent, deadline)
  }
  const tick = () => {
    timer = clock.setTimeout(tick, every)
    beat()
  }
  timer = clock.setTimeout(tick, every)
  const stopWorker = beatBehindHiddenPage(every, beat)
  return {
    replied,
    stop() {
      replied()
      clock.clearTimeout(timer)
      stopWorker()
    },
  }
}

/**
 * Browsers fire the timers of a hidden page once a minute at best, but those of a worker on time. If a page
 * forbids workers (Content-Security-Policy), the page's own timers remain.
 */
function beatBehindHiddenPage(every: number, beat: () => void): () => void {
  const page = globalThis.document
  if (!page || !globalThis.Worker) return () => undefined
  let worker: Worker | undefined
  const stop = () => {
    worker?.terminate()
    worker = undefined
  }
  const follow = () => {
    if (page.visibilityState !== 'hidden') return stop()
    try {
      worker ??= startWorker(every, beat, stop)
    } catch {
      stop()
    }
  }
  page.addEventListener('visibilitychange', follow)
  follow()
  return () => {
    page.removeEventListener('visibilitychange', follow)
    stop()
  }
}

function startWorker(every: number, beat: () => void, stop: () => void): Worker {
  const code = new Blob([`setInterval(() => postMessage(0), ${every})`], { type: 'text/javascript' })
  const address = URL.createObjectURL(code)
  try {
    const worker = new Worker(address)
    worker.addEventListener('message', beat)
    worker.addEventListener('error', event => {
      event.preventDefault()
      stop()
    })
    return worker
  } finally {
    URL.revokeObjectURL(address)
  }
}
