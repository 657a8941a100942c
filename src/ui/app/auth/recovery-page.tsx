// Asks for a new password after a password-recovery link, before the app opens.
import { useStatus } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { StepUp } from '../account/factors/step-up.tsx'
import { UserContext, useUserView } from '../account/user/use-user.ts'
import { useTitle } from '../hooks.ts'
import { PAGE_ID } from '../shell/skip-links.tsx'
import form from '../shell/form.module.css'
import styles from './auth.module.css'
import { NewPasswordForm } from './new-password-form.tsx'

/** A user with a second factor has to confirm it before the backend accepts a new password. */
function FactorFirst() {
  return (
    <UserContext value={useUserView()}>
      <StepUp />
    </UserContext>
  )
}

/** @param props.onLater continues with the old password; the user is already signed in. */
export function RecoveryPage(props: { readonly onLater: () => void }) {
  const email = useStatus(({ session }) =>
    session.phase === 'authenticated' ? (session.user.email ?? session.user.id) : '',
  )
  const needsFactor = useStatus(
    ({ session }) => session.phase === 'authenticated' && session.assurance.next !== session.aal,
  )
  useTitle('Choose a new password')
  return (
    <div id={PAGE_ID} tabIndex={-1} className={form.entry}>
      <div className={form.card}>
        <h1 className={form.title}>Choose a new password</h1>
        <p className={styles.lead}>
          for <strong>{email}</strong>. You’re signed in. Your old password works until you set a new one.
        </p>
        {needsFactor ? <FactorFirst /> : null}
        <NewPasswordForm email={email} action="Set password">
          <Button variant="quiet" onPress={props.onLater}>
            Not now
          </Button>
        </NewPasswordForm>
      </div>
    </div>
  )
}
