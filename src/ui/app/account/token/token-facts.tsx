// Text summary of the token's lifetime.
import type { TokenStatus } from '../../../../services/client/index.ts'
import { Chip, type Tone } from '../../../widgets/pill.tsx'
import { formatClock, formatRefresh, formatSpan } from '../../../../services/workbench/text/index.ts'
import styles from '../account.module.css'

const TONES: Readonly<Record<TokenStatus['state'], Tone>> = {
  fresh: 'ok',
  due: 'pending',
  refreshing: 'pending',
  delayed: 'pending',
  expired: 'fail',
}

/** Shows time spans, not instants: the client measures the lifetime with its monotonic clock. */
export function TokenFacts({ token, now }: { readonly token: TokenStatus; readonly now: number }) {
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
