// Form for a new password, used after a recovery and on the account page.
import type { ReactNode } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import form from '../shell/form.module.css'
import { Notice } from '../shell/page.tsx'
import styles from './auth.module.css'
import { explainAuthFailure } from '../../../services/workbench/auth/index.ts'
import { NeedsList } from './needs-list.tsx'
import { PasswordField } from './password-field.tsx'
import { useNewPassword, type NewPasswordModel } from './use-new-password.ts'
import { useWaiting, WaitNotice } from './wait-notice.tsx'

function Refused({ state: { failure, waitUntil, refused, password } }: { readonly state: NewPasswordModel }) {
  if (failure === undefined) return null
  if (failure.code === 'weak_password')
    return <NeedsList failure={failure} refused={refused} password={password} />
  if (waitUntil !== undefined) return <WaitNotice text="Too soon after the last attempt." until={waitUntil} />
  return <Notice tone="fail">{explainAuthFailure(failure)}</Notice>
}

function Code({ state }: { readonly state: NewPasswordModel }) {
  return (
    <>
      <TextField
        label="Code"
        mono
        autoComplete="one-time-code"
        inputMode="numeric"
        value={state.code}
        onChange={code => state.change({ code })}
        hint="You signed in some time ago, so we emailed you a code to confirm that it is you."
      />
      <Button size="s" variant="quiet" isPending={state.task === 'mailing'} onPress={state.mailCode}>
        Resend code
      </Button>
    </>
  )
}

export interface NewPasswordFormProps {
  readonly email: string
  readonly action: string
  /** Shown next to the button. */
  readonly children?: ReactNode
}

/** Keeps what was typed until the password is set. */
export function NewPasswordForm({ email, action, children }: NewPasswordFormProps) {
  const state = useNewPassword(email)
  const isWaiting = useWaiting(state.waitUntil)
  return (
    <Form
      className={form.form}
      onSubmit={() => {
        if (!isWaiting) state.save()
      }}
      aria-label="New password"
    >
      {/* Tells password managers which account the password belongs to. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        value={state.password}
        onChange={password => state.change({ password })}
        error={state.error}
        hint="Use at least 6 characters. A short sentence is easy to remember."
      />
      {state.needsCode ? <Code state={state} /> : null}
      <Refused state={state} />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isPending={state.task === 'saving'} isDisabled={isWaiting}>
          {action}
        </Button>
        {children}
      </div>
    </Form>
  )
}
