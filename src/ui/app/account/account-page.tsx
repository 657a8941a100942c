// The Account section: session and token, profile, security, and other signed-in accounts.
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useStatus } from '../../react/index.ts'
import { Tabs } from '../../widgets/tabs.tsx'
import { useTitle } from '../hooks.ts'
import { useTimeZone } from '../time-zone.ts'
import { Notice, PageHead } from '../shell/page.tsx'
import styles from './account.module.css'
import { UserContext, useUserView, useUser } from './user/use-user.ts'
import { type Authenticated, UserCard } from './user/user-card.tsx'
import type { ReactNode } from 'react'
import { explainAuthFailure } from '../../../services/workbench/auth/index.ts'
import { NewPasswordForm } from '../auth/new-password-form.tsx'
import { AccountsCard } from './session/accounts-card.tsx'
import { Card } from './card.tsx'
import { EmailCard } from './user/email-card.tsx'
import { FactorsCard } from './factors/factors-card.tsx'
import { PasskeysCard } from './factors/passkeys-card.tsx'
import { IdentitiesCard } from './user/identities-card.tsx'
import { LeaveCard } from './session/leave-card.tsx'
import { MetadataCard } from './user/metadata-card.tsx'
import { PhoneCard } from './user/phone-card.tsx'
import { StepUp } from './factors/step-up.tsx'
import { TokenCard } from './token/token-card.tsx'

function Sections({ session }: { readonly session: Authenticated }) {
  const hash = useLocation({ select: location => location.hash })
  const navigate = useNavigate()
  const tabs = accountTabs(session)
  const selected = tabs.find(({ id }) => id === hash)?.id ?? 'session'
  return (
    <Tabs
      label="Account"
      items={tabs}
      selected={selected}
      onSelect={id => void navigate({ to: '/account', hash: id, search: true, replace: true })}
    />
  )
}

function GuestNotice() {
  return (
    <div className={styles.above}>
      <Notice>
        <span>
          You’re a guest: this account exists only in this browser.{' '}
          <Link to="/account" hash="profile">
            Add an email
          </Link>{' '}
          to keep it.
        </span>
      </Notice>
    </div>
  )
}

/** The selected tab is stored in the URL hash. */
export function AccountPage() {
  useTitle('Account')
  useTimeZone()
  const session = useStatus(status => status.session)
  const view = useUserView()
  if (session.phase !== 'authenticated') return null
  return (
    <UserContext value={view}>
      <PageHead title="Account" />
      {session.user.isAnonymous === true ? <GuestNotice /> : null}
      <div className={styles.sections}>
        <Sections session={session} />
      </div>
    </UserContext>
  )
}

interface TabProps {
  readonly session: Authenticated
}

/** Placeholder while the server-side user data is not loaded. */
function Unknown() {
  const { user, failure } = useUser()
  if (user !== undefined) return null
  if (failure === undefined) return <output className={styles.faint}>Loading your account…</output>
  return <Notice tone="fail">{explainAuthFailure(failure)} Retrying automatically.</Notice>
}

function Columns({ left, right }: { readonly left: ReactNode; readonly right?: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>{left}</div>
      <div className={styles.column}>{right}</div>
    </div>
  )
}

function SessionTab({ session }: TabProps) {
  const left = (
    <>
      <UserCard session={session} />
      <LeaveCard isGuest={session.user.isAnonymous === true} />
    </>
  )
  return <Columns left={left} right={<TokenCard token={session.token} />} />
}

function ProfileTab({ session }: TabProps) {
  const left = (
    <>
      <Unknown />
      <EmailCard isGuest={session.user.isAnonymous === true} />
      <PhoneCard />
    </>
  )
  return <Columns left={left} right={<MetadataCard />} />
}

function PasswordCard({ session }: TabProps) {
  const { user } = useUser()
  if (session.user.isAnonymous === true || user === undefined) return null
  return (
    <Card title="Password">
      <p className={styles.text}>Changing it signs out your other sessions.</p>
      <NewPasswordForm email={session.user.email ?? user.id} action="Set password" />
    </Card>
  )
}

function SecurityTab({ session }: TabProps) {
  const left = (
    <>
      <Unknown />
      {session.assurance.next === session.aal ? null : <StepUp />}
      <FactorsCard isRaised={session.aal === 'aal2'} />
    </>
  )
  const right = (
    <>
      <PasswordCard session={session} />
      <PasskeysCard />
      <IdentitiesCard />
    </>
  )
  return <Columns left={left} right={right} />
}

/** Tabs by the URL hash that selects each. */
const accountTabs = (session: Authenticated) => [
  { id: 'session', title: 'Session', content: <SessionTab session={session} /> },
  { id: 'profile', title: 'Profile', content: <ProfileTab session={session} /> },
  { id: 'security', title: 'Security', content: <SecurityTab session={session} /> },
  { id: 'accounts', title: 'Accounts', content: <Columns left={<AccountsCard />} /> },
]
