// The Account section: session and token, profile, security, and other signed-in accounts.
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useStatus } from '../../react/index.ts'
import { Tabs } from '../../widgets/tabs.tsx'
import { useTitle } from '../hooks.ts'
import { Notice, PageHead } from '../shell/page.tsx'
import { accountTabs } from './account-tabs.tsx'
import styles from './account.module.css'
import { UserContext, useUserView } from './user/use-user.ts'
import type { Authenticated } from './user/user-card.tsx'

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
          </Link>
          to keep it.
        </span>
      </Notice>
    </div>
  )
}

/** The selected tab is stored in the URL hash. */
export function AccountPage() {
  useTitle('Account')
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
