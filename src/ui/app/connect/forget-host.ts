// Forgetting a host: what this browser kept for it goes with it, sessions first of all.
import { forgetStored } from '../local-store.ts'

const SESSION = 'chartroom.session.'
const SETTINGS = 'chartroom.ui.'

/** Whether something stored belongs to the host: its own key, or that of one of its accounts or parts. */
export const isOfHost = (key: string, url: string): boolean =>
  [SESSION + url].some(own => key === own || key.startsWith(`${own}#`) || key.startsWith(`${own}-`)) ||
  (key.startsWith(SETTINGS) && key.endsWith(`.${url}`))

/** Takes everything of the host out of the browser's storage. */
export const forgetHost = (url: string): void => forgetStored(key => isOfHost(key, url))
