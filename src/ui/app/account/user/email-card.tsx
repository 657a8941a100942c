// The address of an account: changed once both addresses consent, or given to a guest.
import { useClient } from '../../../react.ts'
import { Button } from '../../../widgets/button.tsx'
import { callAuth } from '../../auth/call.ts'
import { checkCode, checkEmail } from '../../auth/checks.ts'
import { here } from '../../auth/submit.ts'
import { useWaiting } from '../../auth/wait-notice.tsx'
import { notify } from '../../shell/notify.ts'
import { Notice } from '../../shell/page.tsx'
import { useWorkspace } from '../../workspace.tsx'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { CodeRow } from '../task/code-row.tsx'
import { consentsOf, pendingEmail, type Consent } from './contact.ts'
import { DraftRow } from '../task/draft-row.tsx'
import { TaskRefusal } from '../task/task-refusal.tsx'
import { useTask } from '../task/use-task.ts'
import { useUser, type User } from './use-user.ts'

const SIDES = { present: 'Code to your present address', new: 'Code to the new address' } as const

/** The server waits for the other address when it answers without a session. */
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
        if (session) notify({ tone: 'ok', title: 'Your address is changed' })
      }}
    />
  )
}

/** Mails of the change once more; who has no address yet asks for it anew. */
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
    if (answer !== undefined) notify({ tone: 'ok', title: 'The mails were sent again' })
  }
  return (
    <>
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

function Pending({ user, next }: { readonly user: User; readonly next: string }) {
  const consents = consentsOf(user)
  return (
    <>
      <Notice>
        {consents.length > 1
          ? `Your address becomes ${next} once it is confirmed, by most hosts at both addresses: follow the link in each mail that you get, or enter its code here. Until then nothing changes.`
          : `Your address becomes ${next} once you follow the link that was mailed to it, or enter its code here.`}
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
    notify({ tone: 'ok', title: isGuest ? 'The account is yours to keep' : 'Your address is changed' })
    // The token still says what the account was before.
    await auth.refresh()
  }
  return (
    <DraftRow
      name={isGuest ? 'Keep this account' : 'Change the address'}
      draft={`email.${user.id}`}
      label={isGuest ? 'Your address' : 'New address'}
      type="email"
      autoComplete="email"
      action={isGuest ? 'Keep this account' : 'Change it'}
      isPrimary={isGuest}
      check={email => (isOwn(email) ? 'This is your address already.' : checkEmail(email).email)}
      send={(client, email) =>
        callAuth(client, auth => auth.updateUser({ email: email.trim() }, { emailRedirectTo: here() }))
      }
      onDone={({ user: changed }) => void done(Boolean(changed?.new_email))}
    />
  )
}

/** Waits for the user as the server tells it. */
export function EmailCard({ isGuest }: { readonly isGuest: boolean }) {
  const { user } = useUser()
  if (user === undefined) return null
  const next = pendingEmail(user)
  return (
    <Card title={isGuest ? 'An account to keep' : 'Email'}>
      <p className={styles.text}>
        {isGuest
          ? 'With an address this account outlives this browser: all that you did as a guest stays yours. Then set a password under Security, or sign in by mail.'
          : `You sign in as ${user.email || 'nobody in particular: this account has no address'}.`}
      </p>
      {next === undefined ? null : <Pending user={user} next={next} />}
      <Ask user={user} isGuest={isGuest} />
    </Card>
  )
}
