// Who is signed in, and with how many factors.
import { Link } from '@tanstack/react-router'
import type { SessionStatus } from '../../../../index.ts'
import { Chip } from '../../../widgets/pill.tsx'
import { useWorkspace } from '../../workspace.tsx'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { momentWords } from '../moments.ts'
import { useUser } from './use-user.ts'

export type Authenticated = Extract<SessionStatus, { phase: 'authenticated' }>

/** What the server tells of a user beyond the session, where it does. */
function ServerFacts() {
  const { user } = useUser()
  if (user === undefined) return null
  return (
    <>
      <dt>Signed in by</dt>
      <dd>{(user.identities ?? []).map(({ provider }) => provider).join(', ') || 'nothing yet'}</dd>
      <dt>Account since</dt>
      <dd>{momentWords(user.created_at)}</dd>
      <dt>Last sign-in</dt>
      <dd>{momentWords(user.last_sign_in_at)}</dd>
    </>
  )
}

/** Everything about the session that is fit to be seen. */
export function UserCard({ session }: { readonly session: Authenticated }) {
  const { active } = useWorkspace()
  const { user, aal, assurance } = session
  return (
    <Card title="User">
      <dl className={styles.facts}>
        <dt>Email</dt>
        <dd>{user.email ?? (user.isAnonymous === true ? 'none: a guest' : 'none')}</dd>
        {user.newEmail === undefined ? null : (
          <>
            <dt>To be</dt>
            <dd>
              {user.newEmail} ·{' '}
              <Link to="/account" hash="profile">
                confirm it
              </Link>
            </dd>
          </>
        )}
        <dt>User id</dt>
        <dd>
          <code>{user.id}</code>
        </dd>
        <dt>Assurance</dt>
        <dd>
          <Chip tone={aal === 'aal2' ? 'ok' : 'neutral'}>{aal}</Chip>{' '}
          {aal === 'aal1' ? 'signed in with one factor' : 'with a second factor'}
          {assurance.next === aal ? null : (
            <>
              {' · '}
              <Link to="/account" hash="security">
                confirm the second
              </Link>
            </>
          )}
        </dd>
        <ServerFacts />
        <dt>Backend</dt>
        <dd>
          {active?.name} · <Link to="/connections">connections</Link>
        </dd>
      </dl>
    </Card>
  )
}
