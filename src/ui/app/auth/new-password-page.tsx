// Asks for a new password after a password-recovery link, before the app opens.
import { useStatus } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import form from '../shell/form.module.css'
import styles from './auth.module.css'
import { NewPasswordForm } from './new-password-form.tsx'

/** @param props.onSkip continues with the old password; the user is already signed in. */
export function NewPasswordPage(props: { readonly onSkip: () => void }) {
  const email = useStatus(({ session }) =>
    session.phase === 'authenticated' ? (session.user.email ?? session.user.id) : '',
  )
  return (
    <>
      <h1 className={form.title}>Choose a new password</h1>
      <p className={styles.lead}>
        for <strong>{email}</strong>. You’re signed in. Your old password works until you set a new one.
      </p>
      <NewPasswordForm email={email} action="Set password">
        <Button variant="quiet" onPress={props.onSkip}>
          Not now
        </Button>
      </NewPasswordForm>
    </>
  )
}
