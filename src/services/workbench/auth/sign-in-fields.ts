// What is typed into the sign-in page, and its checks before anything is sent. It is kept across the page's forms,
// and outside of its machine.
import { Listeners } from '../../../trace/index.ts'
import type { SignInForm } from '../../../machines/workbench/sign-in.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

/** Values of all fields of the sign-in page; they are kept across its screens. */
export interface TypedFields extends Credentials {
  readonly phone: string
  readonly domain: string
  readonly code: string
  /** The captcha token, for backends that require one. */
  readonly captcha: string
}

export type TypedErrors = Partial<Readonly<Record<keyof TypedFields, string>>>

export const NOTHING_TYPED: TypedFields = {
  email: '',
  password: '',
  phone: '',
  domain: '',
  code: '',
  captcha: '',
}

/** Default of the auth server; a backend that requires more reports so in its error. */
const MIN_PASSWORD = 6

const isEmail = (email: string) => /^[^\s@]+@\S+$/.test(email.trim())
const problem = (is: boolean, field: keyof TypedFields, text: string): TypedErrors =>
  is ? { [field]: text } : {}

export const checkEmail = (email: string): TypedErrors =>
  problem(!isEmail(email), 'email', 'Enter an email address.')

/** @param mode the minimum length applies to new passwords only. */
export const checkPassword = (password: string, mode: 'signIn' | 'signUp'): TypedErrors => {
  if (password === '') return { password: 'Enter the password.' }
  return problem(
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
  problem(
    !/^\+?[1-9]\d{5,14}$/.test(cleanPhone(phone)),
    'phone',
    'Enter the number with its country code, such as +44 20 7946 0000.',
  )

/** The domain that was typed, or the domain of a typed email address. */
export const cleanDomain = (text: string): string => text.trim().replace(/^.*@/, '').toLowerCase()

export const checkCode = (code: string): TypedErrors =>
  problem(!/^\w{4,10}$/.test(code.trim()), 'code', 'Enter the code from the message.')

/** The digits of an app's code; apps show them in two groups. */
const checkDigits = (code: string): TypedErrors =>
  problem(!/^\d{6}$/.test(code.replaceAll(/\s/g, '')), 'code', 'Enter all six digits.')

/** Errors of a form by field; empty when it can be submitted. */
export const checkForm = (form: SignInForm | 'secondFactor', fields: TypedFields): TypedErrors => {
  switch (form) {
    case 'password':
      return checkCredentials(fields, 'signIn')
    case 'signUp':
      return checkCredentials(fields, 'signUp')
    case 'link':
    case 'recovery':
      return checkEmail(fields.email)
    case 'phone':
      return checkPhone(fields.phone)
    case 'sso':
      return problem(
        !/^[^\s.]+(\.[^\s.]+)+$/.test(cleanDomain(fields.domain)),
        'domain',
        'Enter the domain of your organization, such as example.com.',
      )
    case 'code':
      return checkCode(fields.code)
    case 'secondFactor':
      return checkDigits(fields.code)
  }
}

export interface FieldValues {
  readonly values: TypedFields
  readonly errors: TypedErrors
  /** The password that was rejected as weak. */
  readonly refused: string
}

/** One page's fields; `current` keeps its identity until something changes. */
export interface SignInFields {
  current(this: void): FieldValues
  subscribe(this: void, listener: () => void): () => void
  /** Sets values, and clears the errors. */
  type(part: Partial<TypedFields>): void
  setErrors(errors: TypedErrors): void
  /** Remembers the present password as rejected. */
  refuse(): void
}

export function createSignInFields(email: string): SignInFields {
  const listeners = new Listeners()
  let current: FieldValues = { values: { ...NOTHING_TYPED, email }, errors: {}, refused: '' }
  const update = (part: Partial<FieldValues>) => {
    current = { ...current, ...part }
    listeners.notify()
  }
  return {
    current: () => current,
    subscribe: listeners.subscribe,
    type: part => update({ values: { ...current.values, ...part }, errors: {} }),
    setErrors: errors => update({ errors }),
    refuse: () => update({ refused: current.values.password }),
  }
}

export interface Need {
  readonly text: string
  readonly isMet: (password: string) => boolean
}

const SETS: readonly (readonly [words: RegExp, text: string, pattern: RegExp])[] = [
  [/a lower-case letter/, 'A lower-case letter', /[a-z]/],
  [/an upper-case letter/, 'An upper-case letter', /[A-Z]/],
  [/a letter/, 'A letter', /[a-z]/i],
  [/a digit/, 'A digit', /\d/],
  [/a symbol/, 'A symbol, such as ! or #', /[^\w\s]|_/],
]

/**
 * Parses the requirements in an error message; empty if it names none that can be checked.
 *
 * @param refused the password that was rejected.
 */
export const needsOf = (message: string, refused: string): readonly Need[] => {
  const minLength = Number(/at least (\d+) characters/.exec(message)?.[1] ?? 0)
  const isKnown = /known to be weak|pwned|leaked|easy to guess/i.test(message)
  return [
    ...(minLength === 0
      ? []
      : [
          {
            text: `At least ${minLength} characters`,
            isMet: (password: string) => password.length >= minLength,
          },
        ]),
    ...SETS.filter(([words]) => words.test(message)).map(([, text, pattern]) => ({
      text,
      isMet: (password: string) => pattern.test(password),
    })),
    ...(isKnown
      ? [{ text: 'Not known from a leak', isMet: (password: string) => password !== refused }]
      : []),
  ]
}
