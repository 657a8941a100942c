// Ways past the form: providers, guests, and accounts that are signed in here already.
import { KeyRound } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { accountName } from '../accounts/book.ts'
import { useAccounts } from '../accounts/use-accounts.ts'
import styles from './auth.module.css'
import { hasPasskeys } from './passkeys.ts'
import type { AuthForm } from './use-auth-flow.ts'
import { providerName } from './words.ts'

/** Each leaves the page for the provider's, which leads back here. */
export function Providers({ form, ids }: { readonly form: AuthForm; readonly ids: readonly string[] }) {
  if (ids.length === 0) return null
  return (
    <section className={styles.demo} aria-label="Providers">
      <p className={styles.demoTitle}>Or go on with</p>
      {ids.map(id => (
        <Button key={id} isDisabled={form.task !== undefined} onPress={() => form.leave(id)}>
          {providerName(id)}
        </Button>
      ))}
    </section>
  )
}

/** Nothing where the browser has none. */
export function Passkey({ form }: { readonly form: AuthForm }) {
  if (!hasPasskeys()) return null
  return (
    <section className={styles.demo} aria-label="Passkey">
      <Button
        icon={<KeyRound size={14} aria-hidden />}
        isPending={form.task === 'passkey'}
        isDisabled={form.task !== undefined && form.task !== 'passkey'}
        onPress={form.passkey}
      >
        Sign in with a passkey
      </Button>
    </section>
  )
}

/** An account without an address, which can get one later. */
export function Guest({ form }: { readonly form: AuthForm }) {
  return (
    <section className={styles.demo} aria-label="Guest">
      <p className={styles.demoTitle}>
        Just looking? A guest’s account is in this browser alone, until you give it an address.
      </p>
      <Button
        isPending={form.task === 'guest'}
        isDisabled={form.task !== undefined && form.task !== 'guest'}
        onPress={form.guest}
      >
        Go on as a guest
      </Button>
    </section>
  )
}

/** Accounts that are signed in beside this one stay so. */
export function OtherAccounts() {
  const { list, switchTo } = useAccounts()
  if (list.length === 0) return null
  return (
    <section className={styles.demo} aria-label="Signed in already">
      <p className={styles.demoTitle}>Signed in already in this browser</p>
      {list.map(account => (
        <Button key={account.id} onPress={() => switchTo(account.id)}>
          Back to {accountName(account)}
        </Button>
      ))}
    </section>
  )
}
