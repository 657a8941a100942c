// Why an attempt was rejected, with what to do next.
import { Button } from '../../widgets/button.tsx'
import { Notice } from '../shell/page.tsx'
import styles from './auth.module.css'
import { CaptchaField } from './captcha-field.tsx'
import { explainAuthFailure } from '../../../services/workbench/auth/index.ts'
import { NeedsList } from './needs-list.tsx'
import type { AuthForm } from './use-auth-flow.ts'
import { WaitNotice } from './wait-notice.tsx'

function Reason({ form }: { readonly form: AuthForm }) {
  const { failure, waitUntil } = form
  if (failure === undefined) return null
  if (failure.code === 'weak_password')
    return <NeedsList failure={failure} refused={form.refused} password={form.typed.password} />
  if (waitUntil !== undefined)
    return <WaitNotice text="Too many attempts, or too soon after the last one." until={waitUntil} />
  return (
    <>
      <Notice tone="fail">{explainAuthFailure(failure)}</Notice>
      {failure.code === 'email_not_confirmed' ? (
        <div className={styles.actions}>
          <Button onPress={form.confirmAgain}>Resend confirmation email</Button>
        </div>
      ) : null}
      {failure.code === 'user_already_exists' ? (
        <div className={styles.actions}>
          <Button onPress={() => form.choose('signIn')}>Sign in instead</Button>
          <Button variant="quiet" onPress={() => form.choose('forgotten')}>
            Forgot password?
          </Button>
        </div>
      ) : null}
    </>
  )
}

/** Rendered in a form, above its buttons. */
export function Refusal({ form }: { readonly form: AuthForm }) {
  return (
    <>
      <Reason form={form} />
      {form.needsCaptcha ? <CaptchaField form={form} /> : null}
    </>
  )
}
