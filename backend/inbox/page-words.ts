// Words and times of the inbox page.
import type { MailType } from './store.ts'

/** What a mail is about, in two words. */
export const ABOUT: Readonly<Record<MailType, string>> = {
  signup: 'sign-up',
  invite: 'invitation',
  magiclink: 'sign-in',
  recovery: 'new password',
  email_change: 'new address',
  reauthentication: 'identity check',
  sms: 'text message',
  phone_change: 'new number',
}

const clockTime = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium' })

/** The time of day; with the day when that is another than today. */
export function timeOf(sentAt: string, now: number): string {
  const sent = new Date(sentAt)
  return sent.toDateString() === new Date(now).toDateString()
    ? clockTime.format(sent)
    : dayAndTime.format(sent)
}

/** Day and time in full. */
export function wholeTimeOf(sentAt: string): string {
  return whole.format(new Date(sentAt))
}
