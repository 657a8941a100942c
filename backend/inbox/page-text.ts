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

const clockTime = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium' })

/** Time of day; includes the date if it is not today. */
export function timeOf(sentAt: string, now: number): string {
  const sent = new Date(sentAt)
  return sent.toDateString() === new Date(now).toDateString()
    ? clockTime.format(sent)
    : dayAndTime.format(sent)
}

/** Full date and time. */
export function wholeTimeOf(sentAt: string): string {
  return whole.format(new Date(sentAt))
}
