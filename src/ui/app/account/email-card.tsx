// The address of an account: changed once both addresses consent, or given to a guest.
import { useState } from 'react'
import { useClient } from '../../react.ts'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { callAuth } from '../auth/call.ts'
import { checkEmail } from '../auth/checks.ts'
import { here } from '../auth/submit.ts'
import { useWaiting } from '../auth/wait-notice.tsx'
import { Notice } from '../shell/page.tsx'
import { useWorkspace } from '../workspace.tsx'
import { notify } from '../shell/notify.ts'
import styles from './account.module.css'
import { Card } from './card.tsx'
import { ConsentRow } from './consent-row.tsx'
import { consentsOf, pendingEmail } from './contact.ts'
import { TaskRefusal } from './task-refusal.tsx'
import { useDraft } from './use-draft.ts'
import { useTask } from './use-task.ts'
import { useUser, type User } from './use-user.ts'

function Pending({ user }: { readonly user: User }) {
  const { active } = useWorkspace()
  const { state, isRunning, run } = useTask<'resend'>()
  const consents = consentsOf(user)
  const next = pendingEmail(user) ?? ''
  const isWaiting = useWaiting(state.phase === 'refused' ? state.waitUntil : undefined)
  const resend = async () => {
    const options = { emailRedirectTo: here() }
    const answer = await run('resend', client =>
      callAuth<{ data: unknown; error: unknown }>(client, auth =>
        user.email
          ? auth.resend({ type: 'email_change', email: user.email, options })
          : auth.updateUser({ email: next }, options),
      ),
    )
    if (answer !== undefined) notify({ tone: 'ok', title: 'The mails were sent again' })
  }
  return (
    <>
      <Notice>
        {consents.length > 1
          ? `Your address becomes ${next} once both addresses have confirmed it: follow the link in each of the two mails, or enter their codes here. Until then nothing changes.`
          : `Your address becomes ${next} once you follow the link that was mailed to it, or enter its code here.`}
      </Notice>
      {consents.map(consent => (
        <ConsentRow key={`${consent.side} ${consent.address}`} consent={consent} />
      ))}
      <TaskRefusal state={state} />
      <div className={styles.actions}>
        <Button isPending={isRunning()} isDisabled={isWaiting} onPress={() => void resend()}>
          Send the mails again
        </Button>
        {active?.embedded === true ? (
          <a href={`${active.url}/_chartroom/inbox`} target="_blank" rel="noreferrer">
            Open this backend’s inbox
          </a>
        ) : null}
      </div>
    </>
  )
}

interface AskProps {
  readonly user: User
  readonly isGuest: boolean
}

function Ask({ user, isGuest }: AskProps) {
  const { auth } = useClient()
  const { reload } = useUser()
  const { state, isRunning, run, forget } = useTask<'change'>()
  const [draft, setDraft] = useDraft(`email.${user.id}`)
  const [error, setError] = useState<string>()
  const email = draft ?? ''
  const isWaiting = useWaiting(state.phase === 'refused' ? state.waitUntil : undefined)
  const change = async () => {
    const wrong =
      email.trim().toLowerCase() === user.email?.toLowerCase()
        ? 'This is your address already.'
        : checkEmail(email).email
    setError(wrong)
    if (wrong !== undefined) return
    const answer = await run('change', client =>
      callAuth(client, auth => auth.updateUser({ email: email.trim() }, { emailRedirectTo: here() })),
    )
    if (answer === undefined) return
    setDraft(null)
    reload()
    if (answer.user?.new_email) return
    notify({ tone: 'ok', title: isGuest ? 'The account is yours to keep' : 'Your address is changed' })
    // The token still says what the account was before.
    await auth.refresh()
  }
  return (
    <form
      className={styles.row}
      aria-label={isGuest ? 'Keep this account' : 'Change the address'}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void change()
      }}
    >
      <div className={styles.inline}>
        <TextField
          label={isGuest ? 'Your address' : 'New address'}
          type="email"
          autoComplete="email"
          value={email}
          onChange={text => {
            setDraft(text === '' ? null : text)
            setError(undefined)
            forget()
          }}
          error={error}
        />
        <Button
          type="submit"
          variant={isGuest ? 'primary' : 'plain'}
          isPending={isRunning()}
          isDisabled={isWaiting}
        >
          {isGuest ? 'Keep this account' : 'Change it'}
        </Button>
      </div>
      <TaskRefusal state={state} />
    </form>
  )
}

/** Waits for the user as the server tells it. */
export function EmailCard({ isGuest }: { readonly isGuest: boolean }) {
  const { user } = useUser()
  if (user === undefined) return null
  return (
    <Card title={isGuest ? 'An account to keep' : 'Email'}>
      <p className={styles.text}>
        {isGuest
          ? 'With an address this account outlives this browser: all that you did as a guest stays yours. Then set a password under Security, or sign in by mail.'
          : `You sign in as ${user.email || 'nobody in particular: this account has no address'}.`}
      </p>
      {pendingEmail(user) === undefined ? null : <Pending user={user} />}
      <Ask user={user} isGuest={isGuest} />
    </Card>
  )
}
