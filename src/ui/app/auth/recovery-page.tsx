// Who came by the link for a forgotten password chooses a new one, before the work goes on.
import { useStatus } from '../../react.ts'
import { Button } from '../../widgets/button.tsx'
import { StepUp } from '../account/factors/step-up.tsx'
import { UserContext, useUserView } from '../account/user/use-user.ts'
import { useTitle } from '../hooks.ts'
import { PAGE_ID } from '../shell/by-ear-and-key.tsx'
import form from '../shell/form.module.css'
import styles from './auth.module.css'
import { NewPasswordForm } from './new-password-form.tsx'

/** Without the second factor that somebody has, the backend sets no password. */
function FactorFirst() {
  return (
    <UserContext value={useUserView()}>
      <StepUp />
    </UserContext>
  )
}

/** @param props.onLater goes on with the old password; the session is there already. */
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
          for <strong>{email}</strong>. You are signed in; the old one holds until you set another.
        </p>
        {needsFactor ? <FactorFirst /> : null}
        <NewPasswordForm email={email} action="Set the password">
          <Button variant="quiet" onPress={props.onLater}>
            Not now
          </Button>
        </NewPasswordForm>
      </div>
    </div>
  )
}
