// Whether there was ever a notice: the toast code loads with the first notice or when the app is idle.
import { Listeners } from '../../../trace/index.ts'

let isAsked = false
const listeners = new Listeners()

export const hasNotices = (): boolean => isAsked

/** Calls back on the first notice. */
export const onNotices = listeners.subscribe

export const askForNotices = (): void => {
  isAsked = true
  listeners.notify()
}
