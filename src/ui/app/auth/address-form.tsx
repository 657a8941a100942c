// Forms of one field: where a link, a text message or a new password goes, and whose single sign-on it is.
import { TextField, type TextFieldProps } from '../../widgets/field.tsx'
import { AttemptForm } from './attempt-form.tsx'
import type { Typed } from './checks.ts'
import type { AuthForm } from './use-auth-flow.ts'

export type AddressKind = 'link' | 'phone' | 'sso' | 'forgotten'

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
    name: 'Sign in by mail',
    field: 'email',
    input: EMAIL,
    hint: 'You get a mail with a link and a code; either signs you in, without a password.',
    action: 'Send the mail',
  },
  phone: {
    name: 'Sign in by phone',
    field: 'phone',
    input: { label: 'Phone number', type: 'tel', autoComplete: 'tel', placeholder: '+44 20 7946 0000' },
    hint: 'You get a text message with a code.',
    action: 'Send the code',
  },
  sso: {
    name: 'Single sign-on',
    field: 'domain',
    input: { label: 'Domain', autoComplete: 'organization', inputMode: 'url', placeholder: 'example.com' },
    hint: 'That of your organisation, or your address there. Its own page signs you in and leads back here.',
    action: 'Go on',
  },
  forgotten: {
    name: 'Forgotten password',
    field: 'email',
    input: EMAIL,
    hint: 'You get a mail with a link and a code; either lets you choose a new password.',
    action: 'Send the mail',
  },
}

/** One field and what is done with it. */
export function AddressForm({ form, kind }: { readonly form: AuthForm; readonly kind: AddressKind }) {
  const { name, field, input, hint, action } = WORDS[kind]
  return (
    <AttemptForm
      form={form}
      name={name}
      action={action}
      ways={kind === 'forgotten' ? [['Back', 'signIn']] : []}
    >
      <TextField
        {...input}
        value={form.typed[field]}
        onChange={text => form.change({ [field]: text })}
        error={form.errors[field]}
        hint={hint}
      />
    </AttemptForm>
  )
}
