// Time that goes faster, for both clients alike: so that a minute of waiting is a second of a run.

const { setTimeout, setInterval, Date, performance } = globalThis
const [dateNow, performanceNow] = [Date.now, performance.now]

/** How many seconds pass in one. */
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

/** Counts seconds by timers, which a busy machine holds up as it does those of the clients. */
export function countSeconds(): () => number {
  let seconds = 0
  const timer = globalThis.setInterval(() => (seconds += 1), 1_000)
  return () => {
    clearInterval(timer)
    return seconds
  }
}

/** Resolves when the condition holds, or with false after so many true milliseconds. */
export async function until(holds: () => unknown, atMost = 4_000): Promise<boolean> {
  const started = performanceNow.call(performance)
  while (!holds()) {
    if (performanceNow.call(performance) - started > atMost) return false
    await pause(4)
  }
  return true
}

/** A wait by the true clock, for what must be given the time not to happen. */
export const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** Whether it settles within so many true milliseconds. */
export const settles = async (promise: PromiseLike<unknown>, atMost = 600) => {
  let isSettled = false
  const note = () => void (isSettled = true)
  promise.then(note, note)
  return until(() => isSettled, atMost)
}
