// Something was sent: the link in it is followed, or the code in it entered here.
import { MailCheck, MessageSquareText } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import layout from '../shell/form.module.css'
import { Notice } from '../shell/page.tsx'
import styles from './auth.module.css'
import type { CodeKind, Screen } from './flow.ts'
import { Refusal } from './refusal.tsx'
import type { AuthForm } from './use-auth-flow.ts'
import { useWaiting } from './wait-notice.tsx'

const SENT: Readonly<Record<CodeKind, (to: string) => string>> = {
  signup: to => `A link was mailed to ${to}. Follow it, or enter the code of the mail here.`,
  email: to => `A link was mailed to ${to}. Follow it in this browser, or enter the code of the mail here.`,
  recovery: to =>
    `If ${to} has an account, a mail is on its way. Follow its link, or enter its code here, and choose a new password.`,
  sms: to => `A text message went to ${to}. Enter its code here.`,
}

export interface CodeFormProps {
  readonly form: AuthForm
  readonly screen: Extract<Screen, { at: 'awaitingCode' }>
  /** Where the mails of an embedded backend can be read. */
  readonly inbox: string | undefined
}

/** Waits for a code; the same mail can be had again. */
export function CodeForm({ form, screen: { kind, to }, inbox }: CodeFormProps) {
  const isBusy = form.task !== undefined
  const isWaiting = useWaiting(form.waitUntil)
  const Icon = kind === 'sms' ? MessageSquareText : MailCheck
  return (
    <Form
      className={layout.form}
      onSubmit={() => {
        if (!isBusy) form.submit()
      }}
      aria-label="Code"
    >
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
          This backend keeps its mails:{' '}
          <a href={inbox} target="_blank" rel="noreferrer">
            open its inbox
          </a>
          .
        </p>
      )}
      <TextField
        label="Code"
        mono
        autoComplete="one-time-code"
        inputMode="numeric"
        value={form.typed.code}
        onChange={code => form.change({ code })}
        error={form.errors.code}
      />
      <Refusal form={form} />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isPending={form.task === 'submitting'}>
          Confirm
        </Button>
        <Button
          isPending={form.task === 'resending'}
          isDisabled={isWaiting || form.task === 'submitting'}
          onPress={form.resend}
        >
          Send it again
        </Button>
        <Button variant="quiet" isDisabled={isBusy} onPress={() => form.choose('signIn')}>
          {kind === 'signup' ? 'Sign in' : 'Back'}
        </Button>
      </div>
    </Form>
  )
}
