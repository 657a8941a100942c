// Why an attempt was rejected, with what to do next.
import { Button } from '../../widgets/button.tsx'
import { Notice } from '../shell/page.tsx'
import styles from './auth.module.css'
import { explainAuthFailure } from '../../../services/workbench/auth/index.ts'
import { NeedsList, WaitNotice } from './failure-notice.tsx'
import type { SignIn } from './auth-page.tsx'
import { useClock } from '../hooks.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { copyText } from '../shell/copy-text.ts'

function Reason({ form }: { readonly form: SignIn }) {
  const now = useClock()
  if (form.failed === undefined) return null
  const { state, failure, waitUntil } = form.failed
  if (state === 'passwordWeak')
    return <NeedsList failure={failure} refused={form.refused} password={form.values.password} />
  if (waitUntil !== undefined)
    return <WaitNotice text="Too many attempts, or too soon after the last one." until={waitUntil} />
  return (
    <>
      <Notice tone="fail">{explainAuthFailure(failure)}</Notice>
      {state === 'emailUnconfirmed' ? (
        <div className={styles.actions}>
          <Button onPress={() => form.send({ type: 'confirmation.resend', at: now() })}>
            Resend confirmation email
          </Button>
        </div>
      ) : null}
      {state === 'userExists' ? (
        <div className={styles.actions}>
          <Button onPress={() => form.choose('signIn')}>Sign in instead</Button>
          <Button variant="quiet" onPress={() => form.choose('recovery')}>
            Forgot password?
          </Button>
        </div>
      ) : null}
    </>
  )
}

/** Rendered in a form, above its buttons. */
export function Refusal({ form }: { readonly form: SignIn }) {
  return (
    <>
      <Reason form={form} />
      {form.needsCaptcha ? <CaptchaField form={form} /> : null}
    </>
  )
}

/** Both services write the token to a form field of the page that shows them. */
const READ_TOKEN =
  'copy(document.querySelector("[name=cf-turnstile-response], [name=h-captcha-response]").value)'

/** Third-party scripts are blocked here, and captcha keys only work on the sites they were issued for. */
function CaptchaField({ form }: { readonly form: SignIn }) {
  return (
    <>
      <TextField
        label="Captcha token"
        mono
        autoComplete="off"
        spellCheck="false"
        value={form.values.captcha}
        onChange={captcha => form.change({ captcha })}
        hint="A token works once, within two minutes (hCaptcha) or five (Turnstile)."
      />
      <details className={styles.captcha}>
        <summary>How to get one</summary>
        <ol>
          <li>
            Open the sign-in page of the app that this backend belongs to and solve its captcha. Do not submit
            its form: that would use up the token.
          </li>
          <li>
            Run this in the console of that page’s developer tools. It copies the token to the clipboard.
            <span className={styles.code}>
              <code>{READ_TOKEN}</code>
              <CopyButton text={READ_TOKEN} label="Copy command" copy={copyText} />
            </span>
          </li>
          <li>Paste it above and continue at once.</li>
        </ol>
        <p>
          This page can’t show the captcha: it blocks third-party scripts, and a captcha key only works on the
          sites it was issued for. Backends use hCaptcha or Turnstile and don’t report which one.
        </p>
      </details>
    </>
  )
}
