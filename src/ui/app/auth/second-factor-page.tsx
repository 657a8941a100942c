// Asks for the second factor after a sign-in, before the app opens.
import { useClient, useStatus } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { Select } from '../../widgets/select.tsx'
import { Skeleton } from '../../widgets/state.tsx'
import { focusNow } from '../hooks.ts'
import layout from '../shell/form.module.css'
import styles from './auth.module.css'
import type { SignIn } from './auth-page.tsx'
import { FailureNotice, useWaiting } from './failure-notice.tsx'

function Factor({ form }: { readonly form: SignIn }) {
  const { factors, factor } = form
  const [only] = factors
  if (factors.length > 1)
    return (
      <Select
        label="Factor"
        options={factors.map(({ id, name }) => ({ id, label: name }))}
        value={factor}
        onChange={id => {
          form.change({ code: '' })
          form.send({ type: 'factor.choose', factor: id })
        }}
      />
    )
  return (
    <p>
      Enter the six-digit code that <strong>{only?.name ?? 'your authenticator app'}</strong> shows now.
    </p>
  )
}

function CodeFields({ form }: { readonly form: SignIn }) {
  const isWaiting = useWaiting(form.failed?.waitUntil)
  return (
    <>
      <Factor form={form} />
      <TextField
        label="Code"
        mono
        inputRef={focusNow}
        autoComplete="one-time-code"
        inputMode="numeric"
        value={form.values.code}
        onChange={code => form.change({ code })}
        error={form.errors.code}
      />
      {form.failed === undefined ? null : <FailureNotice {...form.failed} />}
      <div className={styles.actions}>
        <Button
          type="submit"
          variant="primary"
          isPending={form.running === 'verifying'}
          isDisabled={isWaiting}
        >
          Verify
        </Button>
        <Button variant="quiet" onPress={() => form.send({ type: 'step.skip' })}>
          Not now
        </Button>
      </div>
    </>
  )
}

/** The user may continue without it, and verify it later on the account page. */
export function SecondFactorPage({ form }: { readonly form: SignIn }) {
  const { auth } = useClient()
  const email = useStatus(({ session }) =>
    session.phase === 'authenticated' ? (session.user.email ?? session.user.id) : '',
  )
  const isUnavailable = form.failed?.state === 'unavailable'
  return (
    <>
      <h1 className={layout.title}>Verify your second factor</h1>
      <p className={styles.lead}>
        for <strong>{email}</strong>. Without it, some data may be hidden and some changes rejected.
      </p>
      <Form className={layout.form} aria-label="Second factor" onSubmit={form.submit}>
        {form.running === 'loading' ? <Skeleton label="Loading your factors" /> : null}
        {isUnavailable && form.failed ? (
          <>
            <FailureNotice {...form.failed} />
            <div className={styles.actions}>
              <Button variant="primary" onPress={() => form.send({ type: 'factor.retry' })}>
                Try again
              </Button>
              <Button variant="quiet" onPress={() => form.send({ type: 'step.skip' })}>
                Not now
              </Button>
            </div>
          </>
        ) : null}
        {form.running === 'loading' || isUnavailable ? null : <CodeFields form={form} />}
      </Form>
      <p className={styles.foot}>
        <Button variant="quiet" size="s" onPress={() => void auth.signOut()}>
          Sign in with another account
        </Button>
      </p>
    </>
  )
}
