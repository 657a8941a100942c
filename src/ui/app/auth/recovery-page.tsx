// Who came by the link for a forgotten password chooses a new one, before the work goes on.
import { useStatus } from '../../react.ts'
import { Button } from '../../widgets/button.tsx'
import { useTitle } from '../hooks.ts'
import form from '../shell/form.module.css'
import { Notice } from '../shell/page.tsx'
import styles from './auth.module.css'
import { PasswordField } from './password-field.tsx'
import { useRecovery } from './use-recovery.ts'

/** @param props.onLater goes on with the old password; the session is there already. */
export function RecoveryPage(props: { readonly onLater: () => void }) {
  const email = useStatus(({ session }) =>
    session.phase === 'authenticated' ? (session.user.email ?? session.user.id) : '',
  )
  const recovery = useRecovery(email)
  useTitle('Choose a new password')
  return (
    <div className={form.entry}>
      <div className={form.card}>
        <h1 className={form.title}>Choose a new password</h1>
        <p className={styles.lead}>
          for <strong>{email}</strong>. You are signed in; the old one holds until you set another.
        </p>
        <form className={form.form} onSubmit={recovery.submit} noValidate aria-label="New password">
          {/* Password managers learn from it whose password this is. */}
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordField
            label="New password"
            autoComplete="new-password"
            value={recovery.password}
            onChange={recovery.change}
            error={recovery.errors.password}
            hint="At least 6 characters. A short sentence is easy to remember."
          />
          {recovery.errors.form === undefined ? null : <Notice tone="fail">{recovery.errors.form}</Notice>}
          <div className={styles.actions}>
            <Button type="submit" variant="primary" isPending={recovery.isPending}>
              Set the password
            </Button>
            <Button variant="quiet" isDisabled={recovery.isPending} onPress={props.onLater}>
              Not now
            </Button>
          </div>
        </form>
      </div>
    </div>
  )
}
