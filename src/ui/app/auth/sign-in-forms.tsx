// The forms of the sign-in page that have fields: email and password, a single address, or a code that was sent.
import { useState, type ReactNode } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Form } from '../../widgets/form.tsx'
import layout from '../shell/form.module.css'
import styles from './auth.module.css'
import { Refusal } from './refusal.tsx'
import type { SignIn } from './auth-page.tsx'
import { useWaiting } from './failure-notice.tsx'
import { TextField, type TextFieldProps } from '../../widgets/field.tsx'
import type { Credentials, Typed, CodeKind, SentCode } from '../../../services/workbench/auth/index.ts'
import { PasswordField } from './password-field.tsx'
import { MailCheck, MessageSquareText } from 'lucide-react'
import { Notice } from '../shell/page.tsx'
import { focusNow, useClock } from '../hooks.ts'

interface AttemptFormProps {
  readonly form: SignIn
  /** Accessible name of the form. */
  readonly name: string
  /** Text of the submit button. */
  readonly action: string
  /** Links to other screens, shown as quiet buttons: the button text and its screen. */
  readonly ways: readonly (readonly [text: string, screen: Parameters<SignIn['choose']>[0]])[]
  /** Shown below the buttons. */
  readonly below?: ReactNode
  readonly children: ReactNode
}

/**
 * Fields, the reason why the last attempt was rejected, and buttons. The machine ignores a submission while an attempt runs, or before
 * the time that the server named.
 */
function AttemptForm({ form, name, action, ways, below, children }: AttemptFormProps) {
  const isBusy = form.running !== undefined
  const isWaiting = useWaiting(form.failed?.waitUntil)
  return (
    <Form className={layout.form} aria-label={name} onSubmit={form.submit}>
      {children}
      <Refusal form={form} />
      <div className={styles.attempt}>
        <Button
          type="submit"
          variant="primary"
          isPending={form.running === 'submitting'}
          isDisabled={isWaiting || (isBusy && form.running !== 'submitting')}
        >
          {action}
        </Button>
        {ways.map(([text, screen]) => (
          <Button key={text} variant="quiet" isDisabled={isBusy} onPress={() => form.choose(screen)}>
            {text}
          </Button>
        ))}
      </div>
      {below}
    </Form>
  )
}

interface CredentialsFormProps {
  readonly form: SignIn
  /** The backend allows sign-up. */
  readonly takesNew: boolean
  readonly accounts: readonly Credentials[]
}

function DemoAccounts(props: {
  readonly accounts: readonly Credentials[]
  readonly onUse: (a: Credentials) => void
}) {
  return (
    <div className={styles.demo}>
      <p className={styles.demoTitle}>Demo accounts</p>
      {props.accounts.map(account => (
        <Button key={account.email} onPress={() => props.onUse(account)}>
          {account.email}
        </Button>
      ))}
    </div>
  )
}

/** The least that every backend asks for by default; it reports further rules with a refusal. */
const PASSWORD_RULE = 'Use at least 6 characters. The backend may require more.'

/** Signs in with a password or creates an account. */
export function CredentialsForm({ form, takesNew, accounts }: CredentialsFormProps) {
  const isNew = form.page === 'signUp'
  /** The address of the last sign-in is filled in. */
  const [isKnown] = useState(!isNew && form.values.email !== '')
  return (
    <AttemptForm
      form={form}
      name={isNew ? 'Sign up' : 'Sign in'}
      action={isNew ? 'Create account' : 'Sign in'}
      ways={
        isNew
          ? [['Already have an account? Sign in', 'signIn']]
          : [
              ...(takesNew ? [['Create an account', 'signUp'] as const] : []),
              ['Forgot password?', 'recovery'],
            ]
      }
      below={
        accounts.length === 0 || isNew ? null : <DemoAccounts accounts={accounts} onUse={form.submitAs} />
      }
    >
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        {...(isKnown ? {} : { inputRef: focusNow })}
        value={form.values.email}
        onChange={email => form.change({ email })}
        error={form.errors.email}
      />
      <PasswordField
        label="Password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        {...(isKnown && { inputRef: focusNow })}
        {...(isNew && { hint: PASSWORD_RULE })}
        value={form.values.password}
        onChange={password => form.change({ password })}
        error={form.errors.password}
      />
    </AttemptForm>
  )
}

export type AddressKind = 'link' | 'phone' | 'sso' | 'recovery'

/** Texts of a form with one field. */
interface Words {
  readonly name: string
  readonly field: keyof Typed
  readonly input: Pick<TextFieldProps, 'label' | 'type' | 'autoComplete' | 'inputMode' | 'placeholder'>
  readonly hint: string
  readonly action: string
}

const EMAIL = { label: 'Email', type: 'email', autoComplete: 'username' } as const

const WORDS: Readonly<Record<AddressKind, Words>> = {
  link: {
    name: 'Sign in by magic link',
    field: 'email',
    input: EMAIL,
    hint: 'We’ll email you a sign-in link and a code.',
    action: 'Send email',
  },
  phone: {
    name: 'Sign in by phone',
    field: 'phone',
    input: { label: 'Phone number', type: 'tel', autoComplete: 'tel', placeholder: '+44 20 7946 0000' },
    hint: 'We’ll text you a code.',
    action: 'Send code',
  },
  sso: {
    name: 'Single sign-on',
    field: 'domain',
    input: { label: 'Domain', autoComplete: 'organization', inputMode: 'url', placeholder: 'example.com' },
    hint: 'Your organization’s domain, or your email address there. You sign in on its page and return here.',
    action: 'Continue',
  },
  recovery: {
    name: 'Reset your password',
    field: 'email',
    input: EMAIL,
    hint: 'We’ll email you a link and a code; either lets you choose a new password.',
    action: 'Send email',
  },
}

/** One field and its submit button. */
export function AddressForm({ form, kind }: { readonly form: SignIn; readonly kind: AddressKind }) {
  const { name, field, input, hint, action } = WORDS[kind]
  return (
    <AttemptForm
      form={form}
      name={name}
      action={action}
      ways={kind === 'recovery' ? [['Back', 'signIn']] : []}
    >
      <TextField
        {...input}
        inputRef={focusNow}
        value={form.values[field]}
        onChange={text => form.change({ [field]: text })}
        error={form.errors[field]}
        hint={hint}
      />
    </AttemptForm>
  )
}

const SENT: Readonly<Record<CodeKind, (to: string) => string>> = {
  signup: to => `We sent a link to ${to}. Open it or enter the code.`,
  email: to => `We sent a link to ${to}. Open it in this browser or enter the code.`,
  recovery: to =>
    `If ${to} has an account, an email is on its way. Open its link or enter the code, then choose a new password.`,
  sms: to => `We sent a text message to ${to}. Enter the code.`,
}

export interface CodeFormProps {
  readonly form: SignIn
  readonly code: SentCode
  /** URL of the test inbox of an embedded backend. */
  readonly inbox: string | undefined
}

/** Waits for a code and offers to resend it. */
export function CodeForm({ form, code: { kind, to }, inbox }: CodeFormProps) {
  const now = useClock()
  const isBusy = form.running !== undefined
  const isWaiting = useWaiting(form.failed?.waitUntil)
  const Icon = kind === 'sms' ? MessageSquareText : MailCheck
  return (
    <Form className={layout.form} onSubmit={form.submit} aria-label="Code">
      <Notice>
        <span className={styles.sent}>
          <Icon size={15} aria-hidden />
          <span>
            {SENT[kind](to)}
            {form.resent > 0 ? ` Sent again${form.resent > 1 ? ` ${form.resent} times` : ''}.` : ''}
          </span>
        </span>
      </Notice>
      {inbox === undefined ? null : (
        <p className={styles.faint}>
          Local backend:{' '}
          <a href={inbox} target="_blank" rel="noreferrer">
            open the test inbox
          </a>
          .
        </p>
      )}
      <TextField
        label="Code"
        mono
        inputRef={focusNow}
        autoComplete="one-time-code"
        inputMode="numeric"
        value={form.values.code}
        onChange={code => form.change({ code })}
        error={form.errors.code}
      />
      <Refusal form={form} />
      <div className={styles.actions}>
        <Button
          type="submit"
          variant="primary"
          isPending={form.running === 'submitting'}
          isDisabled={isWaiting}
        >
          Confirm
        </Button>
        <Button
          isPending={form.running === 'resending'}
          isDisabled={isWaiting || form.running === 'submitting'}
          onPress={() => form.send({ type: 'code.resend', at: now() })}
        >
          Resend
        </Button>
        <Button variant="quiet" isDisabled={isBusy} onPress={() => form.choose('signIn')}>
          {kind === 'signup' ? 'Sign in' : 'Back'}
        </Button>
      </div>
    </Form>
  )
}
