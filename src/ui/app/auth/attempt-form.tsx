// A sign-in form: its fields, the reason why the last attempt was rejected, and its buttons.
import type { ReactNode } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Form } from '../../widgets/form.tsx'
import layout from '../shell/form.module.css'
import styles from './auth.module.css'
import { Refusal } from './refusal.tsx'
import type { AuthForm } from './use-auth-flow.ts'
import { useWaiting } from './wait-notice.tsx'

export interface AttemptFormProps {
  readonly form: AuthForm
  /** Accessible name of the form. */
  readonly name: string
  /** Text of the submit button. */
  readonly action: string
  /** Links to other screens, shown as quiet buttons: the button text and its screen. */
  readonly ways: readonly (readonly [text: string, screen: Parameters<AuthForm['choose']>[0]])[]
  /** Shown below the buttons. */
  readonly below?: ReactNode
  readonly children: ReactNode
}

/** Does not submit while a task is running or before a wait that the server asked for is over. */
export function AttemptForm({ form, name, action, ways, below, children }: AttemptFormProps) {
  const isBusy = form.task !== undefined
  const isWaiting = useWaiting(form.waitUntil)
  const submit = () => {
    if (!isBusy && !isWaiting) form.submit()
  }
  return (
    <Form className={layout.form} aria-label={name} onSubmit={submit}>
      {children}
      <Refusal form={form} />
      <div className={styles.actions}>
        <Button
          type="submit"
          variant="primary"
          isPending={form.task === 'submitting'}
          isDisabled={isWaiting || (isBusy && form.task !== 'submitting')}
        >
          {action}
        </Button>
        {ways.map(([text, screen]) => (
          <Button key={text} variant="quiet" isDisabled={isBusy} onPress={() => form.choose(screen)}>
            {text}
          </Button>
        ))}
      </div>
      {below}
    </Form>
  )
}
