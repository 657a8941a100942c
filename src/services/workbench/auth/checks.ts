// Validates the fields of the sign-in page before anything is sent.
import type { SignInForm } from '../../../machines/index.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

/** Values of all fields of the sign-in page; they are kept across its screens. */
export interface Typed extends Credentials {
  readonly phone: string
  readonly domain: string
  readonly code: string
  /** The captcha token, for backends that require one. */
  readonly captcha: string
}

export type TypedErrors = Partial<Readonly<Record<keyof Typed, string>>>

export const NOTHING_TYPED: Typed = { email: '', password: '', phone: '', domain: '', code: '', captcha: '' }

/** Default of the auth server; a backend that requires more reports so in its error. */
const MIN_PASSWORD = 6

const isEmail = (email: string) => /^[^\s@]+@\S+$/.test(email.trim())
const wrong = (is: boolean, field: keyof Typed, text: string): TypedErrors => (is ? { [field]: text } : {})

export const checkEmail = (email: string): TypedErrors =>
  wrong(!isEmail(email), 'email', 'Enter an email address.')

/** @param mode the minimum length applies to new passwords only. */
export const checkPassword = (password: string, mode: 'signIn' | 'signUp'): TypedErrors => {
  if (password === '') return { password: 'Enter the password.' }
  return wrong(
    mode === 'signUp' && password.length < MIN_PASSWORD,
    'password',
    `Use at least ${MIN_PASSWORD} characters.`,
  )
}

export const checkCredentials = (
  { email, password }: Credentials,
  mode: 'signIn' | 'signUp',
): TypedErrors => ({
  ...checkEmail(email),
  ...checkPassword(password, mode),
})

/** Removes separators from a number in international form. */
export const cleanPhone = (phone: string): string => phone.replace(/[\s().-]/g, '')

export const checkPhone = (phone: string): TypedErrors =>
  wrong(
    !/^\+?[1-9]\d{5,14}$/.test(cleanPhone(phone)),
    'phone',
    'Enter the number with its country code, such as +44 20 7946 0000.',
  )

/** The domain that was typed, or the domain of a typed email address. */
export const cleanDomain = (typed: string): string => typed.trim().replace(/^.*@/, '').toLowerCase()

export const checkCode = (code: string): TypedErrors =>
  wrong(!/^\w{4,10}$/.test(code.trim()), 'code', 'Enter the code from the message.')

/** The digits of an app's code; apps show them in two groups. */
const checkDigits = (code: string): TypedErrors =>
  wrong(!/^\d{6}$/.test(code.replaceAll(/\s/g, '')), 'code', 'Enter all six digits.')

/** Errors of a form by field; empty when it can be submitted. */
export const checkForm = (form: SignInForm | 'secondFactor', typed: Typed): TypedErrors => {
  switch (form) {
    case 'password':
      return checkCredentials(typed, 'signIn')
    case 'signUp':
      return checkCredentials(typed, 'signUp')
    case 'link':
    case 'recovery':
      return checkEmail(typed.email)
    case 'phone':
      return checkPhone(typed.phone)
    case 'sso':
      return wrong(
        !/^[^\s.]+(\.[^\s.]+)+$/.test(cleanDomain(typed.domain)),
        'domain',
        'Enter the domain of your organization, such as example.com.',
      )
    case 'code':
      return checkCode(typed.code)
    case 'secondFactor':
      return checkDigits(typed.code)
  }
}
