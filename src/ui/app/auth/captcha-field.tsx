// Where the token of a captcha goes that can only be solved elsewhere, and how to get one.
import { CopyButton } from '../../widgets/copy-button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { copyText } from '../shell/copy-text.ts'
import styles from './auth.module.css'
import type { AuthForm } from './use-auth-flow.ts'

/** Both services leave the token in a field of the page that shows them. */
const READ_TOKEN =
  'copy(document.querySelector("[name=cf-turnstile-response], [name=h-captcha-response]").value)'

/** No script of others is let into this page, and the keys of a captcha hold for the sites that their owner named. */
export function CaptchaField({ form }: { readonly form: AuthForm }) {
  return (
    <>
      <TextField
        label="Captcha token"
        mono
        autoComplete="off"
        spellCheck="false"
        value={form.typed.captcha}
        onChange={captcha => form.change({ captcha })}
        hint="One token is good for one attempt, for two minutes (hCaptcha) or five (Turnstile)."
      />
      <details className={styles.captcha}>
        <summary>How to get one</summary>
        <ol>
          <li>
            Open the sign-in page of the app that this backend belongs to, and solve its captcha. Do not send
            its form: that would use the token up.
          </li>
          <li>
            Run this in the console of that page’s developer tools; it puts the token into the clipboard.
            <span className={styles.code}>
              <code>{READ_TOKEN}</code>
              <CopyButton text={READ_TOKEN} label="Copy the line" copy={copyText} />
            </span>
          </li>
          <li>Paste it above and go on at once.</li>
        </ol>
        <p>
          This page can’t show the captcha: it lets no scripts of others in, and a captcha’s key holds only
          for the sites that its owner named. Backends use hCaptcha or Turnstile, and don’t tell which.
        </p>
      </details>
    </>
  )
}
