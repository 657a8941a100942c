// Who came by the link for a forgotten password chooses a new one, before the work goes on.
import { useStatus } from '../../react.ts'
import { Button } from '../../widgets/button.tsx'
import { useTitle } from '../hooks.ts'
import form from '../shell/form.module.css'
import styles from './auth.module.css'
import { NewPasswordForm } from './new-password-form.tsx'

/** @param props.onLater goes on with the old password; the session is there already. */
export function RecoveryPage(props: { readonly onLater: () => void }) {
  const email = useStatus(({ session }) =>
    session.phase === 'authenticated' ? (session.user.email ?? session.user.id) : '',
  )
  useTitle('Choose a new password')
  return (
    <div className={form.entry}>
      <div className={form.card}>
        <h1 className={form.title}>Choose a new password</h1>
        <p className={styles.lead}>
          for <strong>{email}</strong>. You are signed in; the old one holds until you set another.
        </p>
        <NewPasswordForm email={email} action="Set the password">
          <Button variant="quiet" onPress={props.onLater}>
            Not now
          </Button>
        </NewPasswordForm>
      </div>
    </div>
  )
}
