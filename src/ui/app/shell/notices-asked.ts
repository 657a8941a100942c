// Whether there was ever a notice: the toast code loads with the first notice or when the app is idle.

let isAsked = false
const listeners = new Set<() => void>()

export const hasNotices = (): boolean => isAsked

/** Calls back on the first notice. */
export const onNotices = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const askForNotices = (): void => {
  isAsked = true
  for (const listener of listeners) listener()
}
