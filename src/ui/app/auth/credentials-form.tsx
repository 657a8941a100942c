// Email and password, with the demo accounts of an embedded backend one click away.
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import layout from '../shell/form.module.css'
import styles from './auth.module.css'
import type { Credentials } from './checks.ts'
import { PasswordField } from './password-field.tsx'
import { Refusal } from './refusal.tsx'
import type { AuthForm } from './use-auth-flow.ts'
import { useWaiting } from './wait-notice.tsx'

export interface CredentialsFormProps {
  readonly form: AuthForm
  /** People may make accounts. */
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

/** Signs in by password, or makes an account with one. */
export function CredentialsForm({ form, takesNew, accounts }: CredentialsFormProps) {
  const isNew = form.screen.at === 'signUp'
  const isBusy = form.task !== undefined
  const isWaiting = useWaiting(form.waitUntil)
  return (
    <form
      className={layout.form}
      onSubmit={event => {
        event.preventDefault()
        if (!isBusy && !isWaiting) form.submit()
      }}
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
      <Refusal form={form} />
      <div className={styles.actions}>
        <Button
          type="submit"
          variant="primary"
          isPending={form.task === 'submitting'}
          isDisabled={isWaiting || (isBusy && form.task !== 'submitting')}
        >
          {isNew ? 'Create account' : 'Sign in'}
        </Button>
        {takesNew || isNew ? (
          <Button
            variant="quiet"
            isDisabled={isBusy}
            onPress={() => form.choose(isNew ? 'signIn' : 'signUp')}
          >
            {isNew ? 'I have an account' : 'Create an account'}
          </Button>
        ) : null}
        {isNew ? null : (
          <Button variant="quiet" isDisabled={isBusy} onPress={() => form.choose('forgotten')}>
            Forgot it?
          </Button>
        )}
      </div>
      {accounts.length === 0 || isNew ? null : <DemoAccounts accounts={accounts} onUse={form.submitAs} />}
    </form>
  )
}
