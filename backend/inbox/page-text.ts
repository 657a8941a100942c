// Labels of the inbox page.
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
