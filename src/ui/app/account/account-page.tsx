// The Account section: who is signed in, how long the token lives, how to leave.
import { Link } from '@tanstack/react-router'
import { LogOut, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { DEFAULT_TIMINGS, type SessionStatus } from '../../../index.ts'
import { useClient, useStatus } from '../../react.ts'
import { Button } from '../../widgets/button.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { explainAuthFailure } from '../auth/explain.ts'
import { formatSpan } from '../format.ts'
import { useNow, useTitle } from '../hooks.ts'
import { PageBody, PageHead } from '../shell/page.tsx'
import { useWorkspace } from '../workspace.tsx'
import styles from './account.module.css'
import { TokenFacts } from './token-facts.tsx'

type Authenticated = Extract<SessionStatus, { phase: 'authenticated' }>

function Session({ session }: { readonly session: Authenticated }) {
  const { auth } = useClient()
  const [isPending, setPending] = useState(false)
  const time = useNow()
  const refresh = async () => {
    setPending(true)
    const result = await auth.refresh()
    setPending(false)
    if (result.ok) toast.success('The token was renewed')
    // A session that ended meanwhile is told on the sign-in page, with its reason.
    else if (result.failure.code !== 'signed_out')
      toast.error('The token could not be renewed', { description: explainAuthFailure(result.failure) })
  }
  const every = Math.round(DEFAULT_TIMINGS.checkEvery / 1000)
  const before = Math.round((session.token.expiresAt - session.token.refreshAt) / 1000)
  return (
    <section className={styles.card} aria-label="Access token">
      <h2 className={styles.title}>Access token</h2>
      <TokenFacts token={session.token} now={time} />
      <p className={styles.text}>
        Every {every} s Chartroom checks whether the token is due. From {before} s before it expires it is
        due, and one request renews it. Requests wait for a live token; none goes out without one.
      </p>
      <div className={styles.actions}>
        <Button
          icon={<RefreshCw size={14} aria-hidden />}
          isPending={isPending || session.token.state === 'refreshing'}
          onPress={() => void refresh()}
        >
          Refresh now
        </Button>
        <span className={styles.faint}>received {formatSpan(time - session.token.receivedAt)} ago</span>
      </div>
    </section>
  )
}

/** Signing out always ends the session in this browser, even when the backend cannot be told. */
function Leave() {
  const { auth } = useClient()
  const leave = async (scope: 'local' | 'global') => {
    const result = await auth.signOut({ scope })
    if (!result.ok)
      toast.warning('Signed out in this browser only', { description: explainAuthFailure(result.failure) })
  }
  return (
    <section className={styles.card} aria-label="Sign out">
      <h2 className={styles.title}>Sign out</h2>
      <p className={styles.text}>
        Here ends the session of this browser; everywhere also those of your other devices.
      </p>
      <div className={styles.actions}>
        <Button icon={<LogOut size={14} aria-hidden />} onPress={() => void leave('local')}>
          Sign out
        </Button>
        <Button variant="danger" onPress={() => void leave('global')}>
          Sign out everywhere
        </Button>
      </div>
    </section>
  )
}

/** Everything about the session that is fit to be seen; the token itself is not. */
export function AccountPage() {
  useTitle('Account')
  const session = useStatus(status => status.session)
  const { active } = useWorkspace()
  if (session.phase !== 'authenticated') return null
  return (
    <>
      <PageHead title="Account" />
      <PageBody>
        <div className={styles.cards}>
          <section className={styles.card} aria-label="User">
            <h2 className={styles.title}>User</h2>
            <dl className={styles.facts}>
              <dt>Email</dt>
              <dd>{session.user.email ?? 'none'}</dd>
              <dt>User id</dt>
              <dd>
                <code>{session.user.id}</code>
              </dd>
              <dt>Assurance</dt>
              <dd>
                <Chip>{session.aal}</Chip>{' '}
                {session.aal === 'aal1' ? 'signed in with one factor' : 'with a second factor'}
              </dd>
              <dt>Backend</dt>
              <dd>
                {active?.name} · <Link to="/connections">connections</Link>
              </dd>
            </dl>
          </section>
          <Session session={session} />
          <Leave />
        </div>
      </PageBody>
    </>
  )
}
