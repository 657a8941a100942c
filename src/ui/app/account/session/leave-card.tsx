// Sign-out options and what each of them ends.
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { useClient, useStatus } from '../../../react/index.ts'
import { Button } from '../../../widgets/button.tsx'
import { explainAuthFailure } from '../../../../services/workbench/auth/index.ts'
import { notify } from '../../shell/notify.ts'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { Dialog, DialogActions } from '../../../widgets/dialog.tsx'
import { useNavigate } from '@tanstack/react-router'

type Scope = 'local' | 'others' | 'global'

interface ChoiceProps {
  readonly text: string
  readonly action: string
  readonly isDanger?: boolean
  readonly isPending: boolean
  readonly onPress: () => void
}

function Choice({ text, action, isDanger = false, isPending, onPress }: ChoiceProps) {
  return (
    <li className={styles.choice}>
      <span className={styles.text}>{text}</span>
      <Button
        variant={isDanger ? 'danger' : 'plain'}
        icon={<LogOut size={14} aria-hidden />}
        isPending={isPending}
        onPress={onPress}
      >
        {action}
      </Button>
    </li>
  )
}

interface QuestionProps {
  readonly scope: Scope
  readonly isGuest: boolean
  readonly onLeave: () => void
  readonly onClose: () => void
}

/** Confirms a sign-out that ends sessions in other browsers or loses a guest account. */
function Question({ scope, isGuest, ...answers }: QuestionProps) {
  const who = useStatus(({ session }) =>
    session.phase === 'authenticated' ? (session.user.email ?? session.user.id) : '',
  )
  const navigate = useNavigate()
  const keep = () => void navigate({ to: '/account', hash: 'profile' })
  if (scope === 'local' || (isGuest && scope === 'global'))
    return <GuestLeaveDialog onKeep={keep} {...answers} />
  return <LeaveDialog scope={scope} who={isGuest ? 'this guest' : who} {...answers} />
}

/** Signing out always ends the session in this browser, even if the backend is unreachable. */
export function LeaveCard({ isGuest }: { readonly isGuest: boolean }) {
  const { auth } = useClient()
  const [pending, setPending] = useState<Scope>()
  const leave = async (scope: Scope) => {
    setPending(scope)
    const result = await auth.signOut({ scope })
    setPending(undefined)
    if (scope === 'others') {
      if (result.ok) notify({ tone: 'ok', title: 'Other sessions signed out' })
      else
        notify({
          tone: 'fail',
          title: 'Other sessions are still signed in',
          detail: explainAuthFailure(result.failure),
        })
    } else if (!result.ok)
      notify({
        tone: 'fail',
        title: 'Signed out in this browser only',
        detail: explainAuthFailure(result.failure),
      })
  }
  const [asked, setAsked] = useState<Scope>()
  const choice = (scope: Scope) => ({
    isPending: pending === scope,
    onPress: () => (scope === 'local' && !isGuest ? void leave(scope) : setAsked(scope)),
  })
  return (
    <Card title="Sign out">
      {isGuest ? (
        <p className={styles.text}>
          <strong>You’re a guest:</strong> after signing out you can’t return to this account. Add an email
          first to keep it.
        </p>
      ) : null}
      <ul className={styles.choices}>
        <Choice text="Signs out this browser, in all its tabs." action="Sign out" {...choice('local')} />
        <Choice
          text="Signs out your other browsers and devices. This session stays."
          action="Sign out other sessions"
          {...choice('others')}
        />
        <Choice
          text="Signs out all your sessions, including this one."
          action="Sign out everywhere"
          isDanger
          {...choice('global')}
        />
      </ul>
      <p className={styles.faint}>
        Sessions that ended elsewhere can’t be refreshed. Already issued tokens stay valid until they expire.
      </p>
      {asked === undefined ? null : (
        <Question
          scope={asked}
          isGuest={isGuest}
          onLeave={() => void leave(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Card>
  )
}

interface Words {
  readonly title: string
  readonly ends: readonly string[]
  readonly stays: string
  readonly keep: string
  readonly leave: string
}

const ELSEWHERE = [
  'every other browser and device where you are signed in',
  'apps and scripts that use your session',
]

const WORDS: Readonly<Record<'others' | 'global', Words>> = {
  global: {
    title: 'Sign out everywhere?',
    ends: ['this browser, in all its tabs', ...ELSEWHERE],
    stays: 'Other accounts in this browser stay signed in.',
    keep: 'Stay signed in',
    leave: 'Sign out everywhere',
  },
  others: {
    title: 'Sign out other sessions?',
    ends: ELSEWHERE,
    stays: 'This browser stays signed in, in all its tabs.',
    keep: 'Cancel',
    leave: 'Sign out other sessions',
  },
}

interface LeaveDialogProps {
  readonly scope: 'others' | 'global'
  /** Display name of the user whose sessions end. */
  readonly who: string
  readonly onLeave: () => void
  readonly onClose: () => void
}

/** No backend lists the user's own sessions, so this names kinds of sessions. */
function LeaveDialog({ scope, who, onLeave, onClose }: LeaveDialogProps) {
  const { title, ends, stays, keep, leave } = WORDS[scope]
  return (
    <Dialog title={title} isOpen onClose={onClose} role="alertdialog">
      <div className={styles.text}>
        Sessions of <strong>{who}</strong> end in
        <ul className={styles.ends}>
          {ends.map(one => (
            <li key={one}>{one}</li>
          ))}
        </ul>
        Each has to sign in again. {stays}
      </div>
      <DialogActions>
        <Button onPress={onClose}>{keep}</Button>
        <Button
          variant="danger"
          onPress={() => {
            onClose()
            onLeave()
          }}
        >
          {leave}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

export interface GuestLeaveDialogProps {
  /** Opens the form that adds an email. */
  readonly onKeep: () => void
  readonly onLeave: () => void
  readonly onClose: () => void
}

export function GuestLeaveDialog({ onKeep, onLeave, onClose }: GuestLeaveDialogProps) {
  const after = (act: () => void) => () => {
    onClose()
    act()
  }
  return (
    <Dialog title="Sign out and lose this guest account?" isOpen onClose={onClose} role="alertdialog">
      <p className={styles.text}>
        It has no email and no password, so you can’t sign in to it again. Data that only this account can see
        becomes unreachable. Add an email to keep it.
      </p>
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button onPress={after(onKeep)}>Add an email</Button>
        <Button variant="danger" onPress={after(onLeave)}>
          Sign out and lose account
        </Button>
      </DialogActions>
    </Dialog>
  )
}
