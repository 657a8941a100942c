// Shown after an email or text message was sent: the user opens the link or enters the code here.
import { MailCheck, MessageSquareText } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import layout from '../shell/form.module.css'
import { Notice } from '../shell/page.tsx'
import styles from './auth.module.css'
import type { CodeKind, SentCode } from '../../../services/workbench/auth/index.ts'
import { Refusal } from './refusal.tsx'
import type { SignIn } from './use-sign-in.ts'
import { useClock } from '../hooks.ts'
import { useWaiting } from './failure-notice.tsx'

const SENT: Readonly<Record<CodeKind, (to: string) => string>> = {
  signup: to => `We sent a link to ${to}. Open it or enter the code.`,
  email: to => `We sent a link to ${to}. Open it in this browser or enter the code.`,
  recovery: to =>
    `If ${to} has an account, an email is on its way. Open its link or enter the code, then choose a new password.`,
  sms: to => `We sent a text message to ${to}. Enter the code.`,
}

export interface CodeFormProps {
  readonly form: SignIn
  readonly code: SentCode
  /** URL of the test inbox of an embedded backend. */
  readonly inbox: string | undefined
}

/** Waits for a code and offers to resend it. */
export function CodeForm({ form, code: { kind, to }, inbox }: CodeFormProps) {
  const now = useClock()
  const isBusy = form.running !== undefined
  const isWaiting = useWaiting(form.failed?.waitUntil)
  const Icon = kind === 'sms' ? MessageSquareText : MailCheck
  return (
    <Form className={layout.form} onSubmit={form.submit} aria-label="Code">
      <Notice>
        <span className={styles.sent}>
          <Icon size={15} aria-hidden />
          <span>
            {SENT[kind](to)}
            {form.resent > 0 ? ` Sent again${form.resent > 1 ? ` ${form.resent} times` : ''}.` : ''}
          </span>
        </span>
      </Notice>
      {inbox === undefined ? null : (
        <p className={styles.faint}>
          Local backend:{' '}
          <a href={inbox} target="_blank" rel="noreferrer">
            open the test inbox
          </a>
          .
        </p>
      )}
      <TextField
        label="Code"
        mono
        autoComplete="one-time-code"
        inputMode="numeric"
        value={form.values.code}
        onChange={code => form.change({ code })}
        error={form.errors.code}
      />
      <Refusal form={form} />
      <div className={styles.actions}>
        <Button
          type="submit"
          variant="primary"
          isPending={form.running === 'submitting'}
          isDisabled={isWaiting}
        >
          Confirm
        </Button>
        <Button
          isPending={form.running === 'resending'}
          isDisabled={isWaiting || form.running === 'submitting'}
          onPress={() => form.send({ type: 'code.resend', at: now() })}
        >
          Resend
        </Button>
        <Button variant="quiet" isDisabled={isBusy} onPress={() => form.choose('signIn')}>
          {kind === 'signup' ? 'Sign in' : 'Back'}
        </Button>
      </div>
    </Form>
  )
}
