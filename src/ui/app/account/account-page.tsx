// The Account section: the session and its token, the profile, what guards it, and accounts beside it.
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useStatus } from '../../react.ts'
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
          You are a guest: this account is in this browser alone.{' '}
          <Link to="/account" hash="profile">
            Give it an address
          </Link>
          , and it is yours to keep.
        </span>
      </Notice>
    </div>
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
      {session.user.isAnonymous === true ? <GuestNotice /> : null}
      <div className={styles.sections}>
        <Sections session={session} />
      </div>
    </UserContext>
  )
}
