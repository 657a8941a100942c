// The Account section: the session and its token, the profile, what guards it, and accounts beside it.
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useStatus } from '../../react.ts'
import { Tabs } from '../../widgets/tabs.tsx'
import { explainAuthFailure } from '../auth/explain.ts'
import { NewPasswordForm } from '../auth/new-password-form.tsx'
import { useTitle } from '../hooks.ts'
import { Notice, PageHead } from '../shell/page.tsx'
import styles from './account.module.css'
import { AccountsCard } from './accounts-card.tsx'
import { Card } from './card.tsx'
import { EmailCard } from './email-card.tsx'
import { FactorsCard } from './factors-card.tsx'
import { IdentitiesCard } from './identities-card.tsx'
import { LeaveCard } from './leave-card.tsx'
import { MetadataCard } from './metadata-card.tsx'
import { StepUp } from './step-up.tsx'
import { TokenCard } from './token-card.tsx'
import { UserContext, useUser, useUserView } from './use-user.ts'
import { UserCard, type Authenticated } from './user-card.tsx'

/** What of the user only the server knows, while it is not there. */
function Unknown() {
  const { user, failure } = useUser()
  if (user !== undefined) return null
  if (failure === undefined) return <output className={styles.faint}>Asking the backend about you…</output>
  return <Notice tone="fail">{explainAuthFailure(failure)} It is asked again by itself.</Notice>
}

function Columns({ left, right }: { readonly left: ReactNode; readonly right: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>{left}</div>
      <div className={styles.column}>{right}</div>
    </div>
  )
}

function PasswordCard({ session }: { readonly session: Authenticated }) {
  const { user } = useUser()
  if (session.user.isAnonymous === true || user === undefined) return null
  return (
    <Card title="Password">
      <p className={styles.text}>A new one ends your sessions elsewhere; this one stays.</p>
      <NewPasswordForm email={session.user.email ?? user.id} action="Set the password" />
    </Card>
  )
}

const tabsOf = (session: Authenticated) => {
  const isGuest = session.user.isAnonymous === true
  const needsStepUp = session.assurance.next !== session.aal
  return [
    {
      id: 'session',
      title: 'Session',
      content: (
        <Columns
          left={
            <>
              <UserCard session={session} />
              <LeaveCard isGuest={isGuest} />
            </>
          }
          right={<TokenCard token={session.token} />}
        />
      ),
    },
    {
      id: 'profile',
      title: 'Profile',
      content: (
        <Columns
          left={
            <>
              <Unknown />
              <EmailCard isGuest={isGuest} />
            </>
          }
          right={<MetadataCard />}
        />
      ),
    },
    {
      id: 'security',
      title: 'Security',
      content: (
        <Columns
          left={
            <>
              <Unknown />
              {needsStepUp ? <StepUp /> : null}
              <FactorsCard isRaised={session.aal === 'aal2'} />
            </>
          }
          right={
            <>
              <PasswordCard session={session} />
              <IdentitiesCard />
            </>
          }
        />
      ),
    },
    { id: 'accounts', title: 'Accounts', content: <Columns left={<AccountsCard />} right={null} /> },
  ]
}

function Sections({ session }: { readonly session: Authenticated }) {
  const hash = useLocation({ select: ({ hash }) => hash })
  const navigate = useNavigate()
  const tabs = tabsOf(session)
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

/** Its tab stands in the address. */
export function AccountPage() {
  useTitle('Account')
  const session = useStatus(status => status.session)
  const view = useUserView()
  if (session.phase !== 'authenticated') return null
  return (
    <UserContext value={view}>
      <PageHead title="Account" />
      {session.user.isAnonymous === true ? (
        <div className={styles.above}>
          <Notice>
            You are a guest: this account is in this browser alone.{' '}
            <Link to="/account" hash="profile">
              Give it an address
            </Link>
            , and it is yours to keep.
          </Notice>
        </div>
      ) : null}
      <div className={styles.sections}>
        <Sections session={session} />
      </div>
    </UserContext>
  )
}
