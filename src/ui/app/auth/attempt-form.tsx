// A form of the sign-in page that makes an attempt: its fields, why the last one was refused, and its buttons.
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
  /** Of the form, for screen readers. */
  readonly name: string
  /** What its button says. */
  readonly action: string
  /** Other ways, as quiet buttons: what each says and the screen that it leads to. */
  readonly ways: readonly (readonly [text: string, screen: Parameters<AuthForm['choose']>[0]])[]
  /** Below the buttons. */
  readonly below?: ReactNode
  readonly children: ReactNode
}

/** Nothing is sent while something is under way, nor before a wait that the server asked for is over. */
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
