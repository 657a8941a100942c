// Form for a new password, used on the account page, and after a recovery before the app opens.
import { useActorRef, useSelector } from '@xstate/react'
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import {
  checkPassword,
  createSignInFields,
  explainAuthFailure,
  type FailedAttempt,
  newPasswordView,
  provideNewPassword,
} from '../../../services/workbench/auth/index.ts'
import { useClient, useStatus } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { notify } from '../shell/notify.ts'
import form from '../shell/form.module.css'
import { Notice } from '../shell/page.tsx'
import styles from './auth.module.css'
import { NeedsList, useWaiting, WaitNotice } from './failure-notice.tsx'
import { PasswordField } from './password-field.tsx'

interface FailedProps {
  readonly attempt: FailedAttempt | undefined
  readonly refused: string
  readonly password: string
}

function Failed({ attempt, refused, password }: FailedProps) {
  if (attempt === undefined) return null
  const { state, failure, waitUntil } = attempt
  if (state === 'passwordWeak') return <NeedsList failure={failure} refused={refused} password={password} />
  if (waitUntil !== undefined) return <WaitNotice text="Too soon after the last attempt." until={waitUntil} />
  return <Notice tone="fail">{explainAuthFailure(failure)}</Notice>
}

export interface NewPasswordFormProps {
  readonly email: string
  readonly action: string
  /** Shown next to the button. */
  readonly children?: ReactNode
}

/** Keeps what was typed until the password is set. */
export function NewPasswordForm({ email, action, children }: NewPasswordFormProps) {
  const client = useClient()
  const [{ fields, machine }] = useState(() => {
    const fields = createSignInFields('')
    return { fields, machine: provideNewPassword(client, fields) }
  })
  const actor = useActorRef(machine)
  const { running, failed, needsCode } = newPasswordView(useSelector(actor, snapshot => snapshot))
  const { values, errors, refused } = useSyncExternalStore(fields.subscribe, fields.current)
  const isWaiting = useWaiting(failed?.waitUntil)
  useEffect(() => {
    const { unsubscribe } = actor.on('password.saved', () =>
      notify({ tone: 'ok', title: 'Password changed', detail: email }),
    )
    return unsubscribe
  }, [actor, email])
  const change = (part: { readonly password?: string; readonly code?: string }) => {
    fields.type(part)
    actor.send({ type: 'password.changed' })
  }
  const save = () => {
    const wrong = checkPassword(values.password, 'signUp')
    fields.setErrors(wrong)
    if (wrong.password === undefined) actor.send({ type: 'password.save', at: client.now() })
  }
  return (
    <Form className={form.form} onSubmit={save} aria-label="New password">
      {/* Tells password managers which account the password belongs to. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        value={values.password}
        onChange={password => change({ password })}
        error={errors.password}
        hint="Use at least 6 characters. A short sentence is easy to remember."
      />
      {needsCode ? (
        <>
          <TextField
            label="Code"
            mono
            autoComplete="one-time-code"
            inputMode="numeric"
            value={values.code}
            onChange={code => change({ code })}
            hint="You signed in some time ago, so we emailed you a code to confirm that it is you."
          />
          <Button
            size="s"
            variant="quiet"
            isPending={running === 'requestingCode'}
            onPress={() => actor.send({ type: 'code.request', at: client.now() })}
          >
            Resend code
          </Button>
        </>
      ) : null}
      <Failed attempt={failed} refused={refused} password={values.password} />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isPending={running === 'saving'} isDisabled={isWaiting}>
          {action}
        </Button>
        {children}
      </div>
    </Form>
  )
}

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
