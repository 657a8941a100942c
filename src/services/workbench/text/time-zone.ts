// The zone in which times are shown: the browser's or UTC, as the user prefers; stored in the browser.
import { boolean } from 'valibot'
import { Listeners } from '../../../trace/index.ts'
import { onSetting, readSetting, writeSetting } from '../storage/local-store.ts'

const SETTING = 'utc'
const listeners = new Listeners()
let preference: boolean | undefined

/** Whether times are shown in UTC instead of the browser's zone. */
export const isUtc = (): boolean => (preference ??= readSetting(SETTING, boolean(), false))

/** Shows times in UTC or in the browser's zone from now on. */
export function showUtc(isChosen: boolean): void {
  preference = isChosen
  writeSetting(SETTING, isChosen)
  listeners.notify()
}

/** Calls back when the zone changed, in this tab or in another. @returns an unsubscribe function. */
export function onTimeZone(listener: () => void): () => void {
  const stop = listeners.subscribe(listener)
  const stopStored = onSetting(SETTING, () => {
    preference = undefined
    listener()
  })
  return () => {
    stop()
    stopStored()
  }
}

/** The browser's zone, as `Europe/Berlin`. */
export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone in which times are shown, as `Europe/Berlin`. */
export const timeZone = (): string => (isUtc() ? 'UTC' : localZone())
