// A sign-in form: its fields, the reason why the last attempt was rejected, and its buttons.
import type { ReactNode } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Form } from '../../widgets/form.tsx'
import layout from '../shell/form.module.css'
import styles from './auth.module.css'
import { Refusal } from './refusal.tsx'
import type { SignIn } from './use-sign-in.ts'
import { useWaiting } from './wait-notice.tsx'

export interface AttemptFormProps {
  readonly form: SignIn
  /** Accessible name of the form. */
  readonly name: string
  /** Text of the submit button. */
  readonly action: string
  /** Links to other screens, shown as quiet buttons: the button text and its screen. */
  readonly ways: readonly (readonly [text: string, screen: Parameters<SignIn['choose']>[0]])[]
  /** Shown below the buttons. */
  readonly below?: ReactNode
  readonly children: ReactNode
}

/** The machine ignores a submission while an attempt runs, or before the time that the server named. */
export function AttemptForm({ form, name, action, ways, below, children }: AttemptFormProps) {
  const isBusy = form.running !== undefined
  const isWaiting = useWaiting(form.failed?.waitUntil)
  return (
    <Form className={layout.form} aria-label={name} onSubmit={form.submit}>
      {children}
      <Refusal form={form} />
      <div className={styles.actions}>
        <Button
          type="submit"
          variant="primary"
          isPending={form.running === 'submitting'}
          isDisabled={isWaiting || (isBusy && form.running !== 'submitting')}
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
