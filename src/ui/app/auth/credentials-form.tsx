// Email and password form, with one-click demo accounts for an embedded backend.
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { AttemptForm } from './attempt-form.tsx'
import styles from './auth.module.css'
import type { Credentials } from '../../../services/workbench/auth/index.ts'
import { PasswordField } from './password-field.tsx'
import type { SignIn } from './use-sign-in.ts'

export interface CredentialsFormProps {
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

/** Signs in with a password or creates an account. */
export function CredentialsForm({ form, takesNew, accounts }: CredentialsFormProps) {
  const isNew = form.page === 'signUp'
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
        value={form.values.email}
        onChange={email => form.change({ email })}
        error={form.errors.email}
      />
      <PasswordField
        label="Password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        value={form.values.password}
        onChange={password => form.change({ password })}
        error={form.errors.password}
      />
    </AttemptForm>
  )
}
