// Whether there ever was something to tell: what shows notices is not fetched before that, or before it is quiet.

let isAsked = false
const listeners = new Set<() => void>()

export const hasNotices = (): boolean => isAsked

/** Calls back when there is a first one. */
export const onNotices = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const askForNotices = (): void => {
  isAsked = true
  for (const listener of listeners) listener()
}
