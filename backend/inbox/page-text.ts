// Labels and time formats of the inbox page.
import type { MailType } from './store.ts'

/** Short label for each type of email. */
export const ABOUT: Readonly<Record<MailType, string>> = {
  signup: 'sign-up',
  invite: 'invitation',
  magiclink: 'sign-in',
  recovery: 'password reset',
  email_change: 'email change',
  reauthentication: 'identity check',
  sms: 'text message',
  phone_change: 'phone change',
}

// Swedish writes times as `2026-11-22 12:23:06`, like the rest of the product.
const LOCALE = 'sv-SE'

/** Time of day; includes the date if it is not today. */
export function timeOf(sentAt: string, now: number): string {
  const sent = new Date(sentAt)
  return sent.toDateString() === new Date(now).toDateString()
    ? sent.toLocaleTimeString(LOCALE)
    : sent.toLocaleString(LOCALE)
}

/** Full date and time. */
export function wholeTimeOf(sentAt: string): string {
  return new Date(sentAt).toLocaleString(LOCALE)
}
