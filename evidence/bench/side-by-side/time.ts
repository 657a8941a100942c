// Accelerated time for both clients, so that a minute of waiting takes a second.

const { setTimeout, setInterval, Date, performance } = globalThis
const [dateNow, performanceNow] = [Date.now, performance.now]

/** Simulated seconds per real second. */
const PACE = 40

/** Speeds up timers and clocks until the returned function is called. */
export function hasten(): () => void {
  const [wall, monotonic] = [dateNow.call(Date), performanceNow.call(performance)]
  const passed = () => (performanceNow.call(performance) - monotonic) * PACE
  const faster = <F>(set: F) =>
    ((fn: () => void, ms = 0, ...rest: unknown[]) =>
      (set as (fn: () => void, ms: number, ...rest: unknown[]) => unknown)(fn, ms / PACE, ...rest)) as F
  globalThis.setTimeout = faster(setTimeout)
  globalThis.setInterval = faster(setInterval)
  Date.now = () => Math.round(wall + passed())
  Object.defineProperty(performance, 'now', { value: () => monotonic + passed(), configurable: true })
  return () => {
    globalThis.setTimeout = setTimeout
    globalThis.setInterval = setInterval
    Date.now = dateNow
    Reflect.deleteProperty(performance, 'now')
  }
}

/** Shifts the time of day until the returned function is called. */
export function shiftDate(ms: number): () => void {
  Date.now = () => dateNow.call(Date) + ms
  return () => void (Date.now = dateNow)
}

/** Counts seconds with timers, which a busy machine delays like those of the clients. */
export function countSeconds(): () => number {
  let seconds = 0
  const timer = globalThis.setInterval(() => (seconds += 1), 1_000)
  return () => {
    clearInterval(timer)
    return seconds
  }
}

/** Resolves with true once the condition is met, or with false after `atMost` real milliseconds. */
export async function until(holds: () => unknown, atMost = 4_000): Promise<boolean> {
  const started = performanceNow.call(performance)
  while (!holds()) {
    if (performanceNow.call(performance) - started > atMost) return false
    await pause(4)
  }
  return true
}

/** Waits in real time, to verify that something does not happen. */
export const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** Whether the promise settles within `atMost` real milliseconds. */
export const settles = async (promise: PromiseLike<unknown>, atMost = 600) => {
  let isSettled = false
  const note = () => void (isSettled = true)
  promise.then(note, note)
  return until(() => isSettled, atMost)
}
