// The token inspector: the access token's lifetime as a bar, which tab refreshes it, and its claims on demand.
import { Copy, Eye, EyeOff, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { DEFAULT_TIMINGS } from '../../../../machines/index.ts'
import type { TokenStatus } from '../../../../services/client/index.ts'
import { useClient, useRequest, useStatus } from '../../../react/index.ts'
import { Button } from '../../../widgets/button.tsx'
import { callAuth, explainAuthFailure } from '../../../../services/workbench/auth/index.ts'
import { useNow } from '../../hooks.ts'
import { valueOf } from '../../use-page-request.ts'
import { Notice } from '../../shell/page.tsx'
import { notify } from '../../shell/notify.ts'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { ClaimsTable } from './claims-table.tsx'
import tokenStyles from './token.module.css'
import { Chip, type Tone } from '../../../widgets/pill.tsx'
import { formatClock, formatRefresh, formatSpan } from '../../../../services/workbench/text/index.ts'
import { tokenLife } from '../../shell/token-life.tsx'

/** Reads it again when a new token replaced it. */
function useToken(isAsked: boolean) {
  const client = useClient()
  const received = useStatus(({ session }) =>
    session.phase === 'authenticated' ? session.token.receivedAt : 0,
  )
  const { data: token, failure } = useRequest(isAsked ? ['access token', received] : undefined, async () => {
    const { session } = valueOf(await callAuth(client, auth => auth.getSession()))
    return session?.access_token
  })
  return { token, problem: failure && explainAuthFailure(failure) }
}

function Contents() {
  const client = useClient()
  const [isAsked, setAsked] = useState(false)
  const [isRaw, setRaw] = useState(false)
  const shown = useToken(isAsked)
  const hide = () => {
    setAsked(false)
    setRaw(false)
  }
  const copy = async () => {
    const called = await callAuth(client, auth => auth.getSession())
    const text = called.ok ? called.value.session?.access_token : undefined
    try {
      if (text === undefined) throw new Error('There is no token.')
      await navigator.clipboard.writeText(text)
      notify({
        tone: 'ok',
        title: 'Access token copied',
        detail: 'Anyone with this token can act as you until it expires.',
      })
    } catch {
      notify({ tone: 'fail', title: 'Could not copy the access token' })
    }
  }
  return (
    <>
      <div className={styles.actions}>
        <Button
          icon={isAsked ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
          aria-expanded={isAsked}
          onPress={isAsked ? hide : () => setAsked(true)}
        >
          {isAsked ? 'Hide' : 'Decode'}
        </Button>
        <Button variant="quiet" icon={<Copy size={14} aria-hidden />} onPress={() => void copy()}>
          Copy token
        </Button>
      </div>
      {shown.problem === undefined ? null : <Notice tone="fail">{shown.problem}</Notice>}
      {shown.token === undefined ? null : (
        <>
          <ClaimsTable token={shown.token} />
          <div className={styles.actions}>
            <Button size="s" variant="quiet" aria-expanded={isRaw} onPress={() => setRaw(!isRaw)}>
              {isRaw ? 'Hide encoded token' : 'Show encoded token'}
            </Button>
          </div>
          {isRaw ? <code className={tokenStyles.raw}>{shown.token}</code> : null}
        </>
      )}
    </>
  )
}

/** The token is not in the DOM until the user asks for it. */
export function TokenCard({ token }: { readonly token: TokenStatus }) {
  const { auth, status } = useClient()
  const [isPending, setPending] = useState(false)
  const now = useNow()
  const refresh = async () => {
    setPending(true)
    const result = await auth.refresh()
    setPending(false)
    if (result.ok) notify({ id: 'renewal', tone: 'ok', title: 'Token refreshed' })
    // If the session ended during the refresh, the sign-in page reports it with its reason.
    else if (status().session.phase === 'authenticated')
      notify({
        id: 'renewal',
        tone: 'fail',
        lasts: 10_000,
        title: 'Could not refresh the token',
        detail: explainAuthFailure(result.failure),
      })
  }
  const every = Math.round(DEFAULT_TIMINGS.checkEvery / 1000)
  const before = Math.round((token.expiresAt - token.refreshAt) / 1000)
  return (
    <Card title="Access token">
      <LongTokenBar token={token} now={now} />
      <TokenFacts token={token} now={now} />
      <p className={styles.text}>
        Chartroom checks the token every {every} s and refreshes it about {before} s before it expires.
        Requests wait for a valid token; none is sent without one.
      </p>
      <div className={styles.actions}>
        <Button
          icon={<RefreshCw size={14} aria-hidden />}
          isPending={isPending || token.state === 'refreshing'}
          onPress={() => void refresh()}
        >
          Refresh now
        </Button>
      </div>
      <Contents />
    </Card>
  )
}

const TONES: Readonly<Record<TokenStatus['state'], Tone>> = {
  fresh: 'ok',
  due: 'pending',
  refreshing: 'pending',
  delayed: 'pending',
  expired: 'fail',
}

/** Shows time spans, not instants: the client measures the lifetime with its monotonic clock. */
function TokenFacts({ token, now }: { readonly token: TokenStatus; readonly now: number }) {
  return (
    <dl className={styles.facts}>
      <dt>State</dt>
      <dd>
        <Chip tone={TONES[token.state]} pending={token.state !== 'fresh' && token.state !== 'expired'}>
          {token.state}
        </Chip>
      </dd>
      <dt>Refresh</dt>
      <dd>{formatRefresh(token, now)}</dd>
      <dt>Clock</dt>
      <dd>{formatClock(token)}</dd>
      <dt>Lifetime</dt>
      <dd>{formatSpan(token.expiresAt - token.receivedAt)}</dd>
    </dl>
  )
}

/** Uses time spans of the client's clock, so a wrong device clock does not matter. */
function LongTokenBar({ token, now }: { readonly token: TokenStatus; readonly now: number }) {
  const life = tokenLife(token, now)
  return (
    <div className={tokenStyles.life}>
      <div
        role="meter"
        aria-label="Access token lifetime"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(life.passed * 100)}
        aria-valuetext={life.detail}
        className={tokenStyles.bar}
        data-state={token.state}
      >
        <i className={tokenStyles.passed} style={{ width: `${life.passed * 100}%` }} />
        <i
          className={tokenStyles.due}
          style={{ left: `${life.refreshAt * 100}%`, width: `${(1 - life.refreshAt) * 100}%` }}
        />
        <b className={tokenStyles.mark} style={{ left: `${life.refreshAt * 100}%` }} />
      </div>
      <div className={tokenStyles.scale}>
        <span>received {formatSpan(now - token.receivedAt)} ago</span>
        <span className={tokenStyles.markWords}>
          {token.refreshAt > now ? `refreshes in ${formatSpan(token.refreshAt - now)}` : 'due'}
        </span>
        <span>{life.text === 'expired' ? 'has expired' : `expires in ${life.text}`}</span>
      </div>
    </div>
  )
}
