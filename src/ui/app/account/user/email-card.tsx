// The email of an account: changing it, which both addresses confirm, or adding one for a guest.
import { useClient } from '../../../react/index.ts'
import { Button } from '../../../widgets/button.tsx'
import { callAuth, checkCode, checkEmail, here } from '../../../../services/workbench/auth/index.ts'
import { useWaiting } from '../../auth/failure-notice.tsx'
import { notify } from '../../shell/notify.ts'
import { Notice } from '../../shell/page.tsx'
import { useWorkspace } from '../../workspace.tsx'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { CodeRow, DraftRow } from '../task/rows.tsx'
import { TaskRefusal, useTask } from '../task/use-task.tsx'
import { useUser, type User } from './use-user.ts'

/** An address that was sent a code: the current one or the new one. */
interface Consent {
  readonly side: 'present' | 'new'
  readonly address: string
}

/** The email address that is not confirmed yet. */
const pendingEmail = (user: Pick<User, 'new_email'>): string | undefined => user.new_email || undefined

/** By default, backends ask both addresses to confirm; a guest has only one. */
export const consentsOf = (user: Pick<User, 'email' | 'new_email'>): readonly Consent[] => {
  const next = pendingEmail(user)
  if (next === undefined) return []
  return [
    ...(user.email ? [{ side: 'present', address: user.email } as const] : []),
    { side: 'new', address: next },
  ]
}

const SIDES = { present: 'Code sent to your current email', new: 'Code sent to the new email' } as const

/** A response without a session means that the server still waits for the other address. */
function ConsentRow({ consent: { side, address } }: { readonly consent: Consent }) {
  const { reload } = useUser()
  return (
    <CodeRow
      name={`Confirm ${address}`}
      label={SIDES[side]}
      note={address}
      check={code => checkCode(code).code}
      send={(client, token) =>
        callAuth(client, auth => auth.verifyOtp({ email: address, token, type: 'email_change' }))
      }
      onDone={({ session }) => {
        reload()
        if (session) notify({ tone: 'ok', title: 'Email changed' })
      }}
    />
  )
}

/** Resends the emails of the change; for a guest, requests the change again. */
function Again({ user }: { readonly user: User }) {
  const { active } = useWorkspace()
  const { state, isRunning, run } = useTask<'resend'>()
  const isWaiting = useWaiting(state.phase === 'refused' ? state.waitUntil : undefined)
  const next = pendingEmail(user) ?? ''
  const resend = async () => {
    const options = { emailRedirectTo: here() }
    const answer = await run('resend', client =>
      callAuth<{ data: unknown; error: unknown }>(client, auth =>
        user.email
          ? auth.resend({ type: 'email_change', email: user.email, options })
          : auth.updateUser({ email: next }, options),
      ),
    )
    if (answer !== undefined) notify({ tone: 'ok', title: 'Emails sent again' })
  }
  return (
    <>
      <TaskRefusal state={state} />
      <div className={styles.actions}>
        <Button isPending={isRunning()} isDisabled={isWaiting} onPress={() => void resend()}>
          Resend emails
        </Button>
        {active?.embedded === true ? (
          <a href={`${active.url}/_chartroom/inbox`} target="_blank" rel="noreferrer">
            Open the test inbox
          </a>
        ) : null}
      </div>
    </>
  )
}

function Pending({ user, next }: { readonly user: User; readonly next: string }) {
  const consents = consentsOf(user)
  return (
    <>
      <Notice>
        {consents.length > 1
          ? `Your email changes to ${next} once it is confirmed. Most backends require this at both addresses: open the link in each email or enter its code here. Nothing changes until then.`
          : `Your email changes to ${next} once you open the link that we sent there or enter its code here.`}
      </Notice>
      {consents.map(consent => (
        <ConsentRow key={`${consent.side} ${consent.address}`} consent={consent} />
      ))}
      <Again user={user} />
    </>
  )
}

function Ask({ user, isGuest }: { readonly user: User; readonly isGuest: boolean }) {
  const { auth } = useClient()
  const { reload } = useUser()
  const isOwn = (email: string) => email.trim().toLowerCase() === user.email?.toLowerCase()
  const done = async (isPending: boolean) => {
    reload()
    if (isPending) return
    notify({ tone: 'ok', title: isGuest ? 'Account saved' : 'Email changed' })
    // The token still has the account's previous data.
    await auth.refresh()
  }
  return (
    <DraftRow
      name={isGuest ? 'Keep this account' : 'Change email'}
      draft={`email.${user.id}`}
      label={isGuest ? 'Your email' : 'New email'}
      type="email"
      autoComplete="email"
      action={isGuest ? 'Keep this account' : 'Change email'}
      isPrimary={isGuest}
      check={email => (isOwn(email) ? 'This is already your email.' : checkEmail(email).email)}
      send={(client, email) =>
        callAuth(client, auth => auth.updateUser({ email: email.trim() }, { emailRedirectTo: here() }))
      }
      onDone={({ user: changed }) => void done(Boolean(changed?.new_email))}
    />
  )
}

/** Renders nothing until the user data is loaded. */
export function EmailCard({ isGuest }: { readonly isGuest: boolean }) {
  const { user } = useUser()
  if (user === undefined) return null
  const next = pendingEmail(user)
  return (
    <Card title={isGuest ? 'Keep this account' : 'Email'}>
      <p className={styles.text}>
        {isGuest
          ? 'With an email, this account and everything you did as a guest outlive this browser. Then set a password under Security or sign in with a magic link.'
          : `You sign in as ${user.email || 'a user without an email'}.`}
      </p>
      {next === undefined ? null : <Pending user={user} next={next} />}
      <Ask user={user} isGuest={isGuest} />
    </Card>
  )
}
