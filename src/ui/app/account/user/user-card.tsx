// The signed-in user and the assurance level.
import { Link } from '@tanstack/react-router'
import type { SessionStatus } from '../../../../services/client/index.ts'
import { Chip } from '../../../widgets/pill.tsx'
import { useWorkspace } from '../../workspace.tsx'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { momentWords } from '../moments.ts'
import { useUser } from './use-user.ts'

export type Authenticated = Extract<SessionStatus, { phase: 'authenticated' }>

/** Server-side user data beyond the session; renders nothing until it is loaded. */
function ServerFacts() {
  const { user } = useUser()
  if (user === undefined) return null
  return (
    <>
      <dt>Sign-in methods</dt>
      <dd>{(user.identities ?? []).map(({ provider }) => provider).join(', ') || 'none yet'}</dd>
      <dt>Created</dt>
      <dd>{momentWords(user.created_at)}</dd>
      <dt>Last sign-in</dt>
      <dd>{momentWords(user.last_sign_in_at)}</dd>
    </>
  )
}

const factorWords = ({ aal, user }: Authenticated): string => {
  if (aal !== 'aal1') return 'second factor verified'
  return user.isAnonymous === true ? 'guest, without a sign-in method' : 'one factor'
}

/** Session details that are safe to display. */
export function UserCard({ session }: { readonly session: Authenticated }) {
  const { active } = useWorkspace()
  const { user, aal, assurance } = session
  return (
    <Card title="User">
      <dl className={styles.facts}>
        <dt>Email</dt>
        <dd>{user.email ?? (user.isAnonymous === true ? 'none (guest)' : 'none')}</dd>
        {user.newEmail === undefined ? null : (
          <>
            <dt>Pending email</dt>
            <dd>
              {user.newEmail} ·{' '}
              <Link to="/account" hash="profile">
                confirm
              </Link>
            </dd>
          </>
        )}
        <dt>User ID</dt>
        <dd>
          <code>{user.id}</code>
        </dd>
        <dt>Assurance</dt>
        <dd>
          <Chip tone={aal === 'aal2' ? 'ok' : 'neutral'}>{aal}</Chip> {factorWords(session)}
          {assurance.next === aal ? null : (
            <>
              {' · '}
              <Link to="/account" hash="security">
                verify second factor
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
