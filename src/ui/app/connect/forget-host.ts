// Forgetting a host: what this browser kept for it goes with it, sessions first of all.
import { rememberAddress } from '../accounts/book-store.ts'
import { forgetStored } from '../local-store.ts'
import { forgetInTab } from '../tab-store.ts'

const SESSION = 'chartroom.session.'
const SETTINGS = 'chartroom.ui.'

/** Whether something stored belongs to the host: its own key, or that of one of its accounts or parts. */
export const isOfHost = (key: string, url: string): boolean =>
  [SESSION + url].some(own => key === own || key.startsWith(`${own}#`) || key.startsWith(`${own}-`)) ||
  (key.startsWith(SETTINGS) && isSettingOf(key, url))

/** Beyond the host there may stand whose it is, and of which table; another host may go on as this one ends. */
const OWNER = /^\.?$|^\.\[.*\]$|^\.(?:anonymous|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\..*)?$/is

const isSettingOf = (key: string, url: string): boolean => {
  const at = key.indexOf(`.${url}`)
  return at >= 0 && OWNER.test(key.slice(at + 1 + url.length))
}

/** Takes everything of the host out of the browser's storage. */
export const forgetHost = (url: string): void => {
  forgetStored(key => isOfHost(key, url))
  forgetInTab(key => isOfHost(key, url))
  rememberAddress(url, undefined)
}
