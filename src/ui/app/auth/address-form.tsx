// Single-field sign-in forms: magic link, phone code, single sign-on and password reset.
import { TextField, type TextFieldProps } from '../../widgets/field.tsx'
import { AttemptForm } from './attempt-form.tsx'
import type { Typed } from '../../../services/workbench/auth/index.ts'
import type { SignIn } from './use-sign-in.ts'

export type AddressKind = 'link' | 'phone' | 'sso' | 'recovery'

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
        value={form.values[field]}
        onChange={text => form.change({ [field]: text })}
        error={form.errors[field]}
        hint={hint}
      />
    </AttemptForm>
  )
}
