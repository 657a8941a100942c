// Contents of the tabs on the account page.
import type { ReactNode } from 'react'
import { explainAuthFailure } from '../../../services/workbench/auth/index.ts'
import { NewPasswordForm } from '../auth/new-password-form.tsx'
import { Notice } from '../shell/page.tsx'
import styles from './account.module.css'
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
import { useUser } from './user/use-user.ts'
import { UserCard, type Authenticated } from './user/user-card.tsx'

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
export const accountTabs = (session: Authenticated) => [
  { id: 'session', title: 'Session', content: <SessionTab session={session} /> },
  { id: 'profile', title: 'Profile', content: <ProfileTab session={session} /> },
  { id: 'security', title: 'Security', content: <SecurityTab session={session} /> },
  { id: 'accounts', title: 'Accounts', content: <Columns left={<AccountsCard />} /> },
]
