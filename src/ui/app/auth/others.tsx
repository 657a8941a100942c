// Other sign-in options: methods, providers, passkeys, guest access and accounts already signed in.
import { KeyRound } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { accountName } from '../../../services/workbench/accounts/index.ts'
import { useAccounts } from '../accounts/accounts-provider.tsx'
import styles from './auth.module.css'
import {
  hasPasskeys,
  providerName,
  METHOD_NAMES,
  type methodsOf,
} from '../../../services/workbench/auth/index.ts'
import type { SignIn } from './auth-page.tsx'

/** Each button opens the provider's page, which redirects back here. */
export function Providers({ form, ids }: { readonly form: SignIn; readonly ids: readonly string[] }) {
  if (ids.length === 0) return null
  return (
    <section className={styles.demo} aria-label="Providers">
      <p className={styles.demoTitle}>Or continue with</p>
      {ids.map(id => (
        <Button
          key={id}
          isDisabled={form.running !== undefined}
          onPress={() => form.send({ type: 'provider.open', provider: id })}
        >
          {providerName(id)}
        </Button>
      ))}
    </section>
  )
}

/** Renders nothing if the browser does not support passkeys. */
export function Passkey({ form }: { readonly form: SignIn }) {
  if (!hasPasskeys()) return null
  return (
    <section className={styles.demo} aria-label="Passkey">
      <Button
        icon={<KeyRound size={14} aria-hidden />}
        isPending={form.running === 'usingPasskey'}
        isDisabled={form.running !== undefined && form.running !== 'usingPasskey'}
        onPress={() => form.send({ type: 'passkey.signIn' })}
      >
        Sign in with a passkey
      </Button>
    </section>
  )
}

/** Creates an account without an email address; one can be added later. */
export function Guest({ form }: { readonly form: SignIn }) {
  return (
    <section className={styles.demo} aria-label="Guest">
      <p className={styles.demoTitle}>A guest account exists only in this browser until you add an email.</p>
      <Button
        isPending={form.running === 'enteringAsGuest'}
        isDisabled={form.running !== undefined && form.running !== 'enteringAsGuest'}
        onPress={() => form.send({ type: 'guest.signIn' })}
      >
        Continue as guest
      </Button>
    </section>
  )
}

/** Switching to another account does not sign any account out. */
export function OtherAccounts() {
  const { list, switchTo } = useAccounts()
  if (list.length === 0) return null
  return (
    <section className={styles.demo} aria-label="Other accounts">
      <p className={styles.demoTitle}>Other accounts in this browser</p>
      {list.map(account => (
        <Button key={account.id} onPress={() => switchTo(account.id)}>
          Continue as {accountName(account)}
        </Button>
      ))}
    </section>
  )
}

export interface MethodPickerProps {
  readonly form: SignIn
  readonly methods: ReturnType<typeof methodsOf>
}

/** Renders nothing if there is only one method. */
export function MethodPicker({ form, methods }: MethodPickerProps) {
  if (methods.length < 2) return null
  return (
    <fieldset className={styles.methods}>
      <legend className={styles.spoken}>Sign-in method</legend>
      {methods.map(each => (
        <label key={each} className={styles.method} data-on={each === form.page || undefined}>
          <input
            type="radio"
            name="method"
            className={styles.spoken}
            checked={each === form.page}
            onChange={() => form.choose(each)}
          />
          {METHOD_NAMES[each]}
        </label>
      ))}
    </fieldset>
  )
}
