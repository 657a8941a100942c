// Removes everything this browser stored for a backend, sessions first.
import { rememberAddress } from '../accounts/account-store.ts'
import { forgetStored } from '../storage/local-store.ts'
import { forgetInTab } from '../storage/tab-store.ts'

const SESSION = 'chartroom.session.'
const SETTINGS = 'chartroom.ui.'

/** Whether a storage key belongs to the backend: its own key, or one of its accounts or parts. */
export const isOfHost = (key: string, url: string): boolean =>
  [SESSION + url].some(
    prefix => key === prefix || key.startsWith(`${prefix}#`) || key.startsWith(`${prefix}-`),
  ) ||
  (key.startsWith(SETTINGS) && isSettingOf(key, url))

/** What may follow the URL: owner and table. Another backend's URL may start with this one's. */
const OWNER = /^\.?$|^\.\[.*\]$|^\.(?:anonymous|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\..*)?$/is

const isSettingOf = (key: string, url: string): boolean => {
  const at = key.indexOf(`.${url}`)
  return at >= 0 && OWNER.test(key.slice(at + 1 + url.length))
}

/** Removes all entries of the backend from the browser's storage. */
export const forgetHost = (url: string): void => {
  forgetStored(key => isOfHost(key, url))
  forgetInTab(key => isOfHost(key, url))
  rememberAddress(url, undefined)
}
