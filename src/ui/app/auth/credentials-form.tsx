// Email and password, with the demo accounts of an embedded backend one click away.
import { MailCheck } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Notice } from '../shell/page.tsx'
import layout from '../shell/form.module.css'
import styles from './auth.module.css'
import { PasswordField } from './password-field.tsx'
import { useCredentials, type Credentials, type Mode } from './use-credentials.ts'

export interface CredentialsFormProps {
  readonly mode: Mode
  readonly onSwitch: () => void
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

/** The form of the sign-in page. */
export function CredentialsForm({ mode, onSwitch, accounts }: CredentialsFormProps) {
  const form = useCredentials(mode)
  const isNew = mode === 'signUp'
  const leave = () => {
    form.reset()
    onSwitch()
  }
  if (form.confirm !== undefined)
    return (
      <Notice>
        <MailCheck size={15} aria-hidden /> A link was mailed to {form.confirm}. Follow it, then sign in here.
        <Button size="s" onPress={leave}>
          Sign in
        </Button>
      </Notice>
    )
  return (
    <form
      className={layout.form}
      onSubmit={form.submit}
      noValidate
      aria-label={isNew ? 'Sign up' : 'Sign in'}
    >
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        value={form.typed.email}
        onChange={email => form.change({ email })}
        error={form.errors.email}
      />
      <PasswordField
        label="Password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        value={form.typed.password}
        onChange={password => form.change({ password })}
        error={form.errors.password}
      />
      {form.errors.form === undefined ? null : <Notice tone="fail">{form.errors.form}</Notice>}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isPending={form.isPending}>
          {isNew ? 'Create account' : 'Sign in'}
        </Button>
        <Button variant="quiet" isDisabled={form.isPending} onPress={leave}>
          {isNew ? 'I have an account' : 'Create an account'}
        </Button>
      </div>
      {accounts.length === 0 || isNew ? null : <DemoAccounts accounts={accounts} onUse={form.submitAs} />}
    </form>
  )
}
