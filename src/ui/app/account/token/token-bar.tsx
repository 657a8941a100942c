// Progress bar of the access token's lifetime, with the refresh mark and the expiry.
import type { TokenStatus } from '../../../../services/client/index.ts'
import { formatSpan } from '../../../../services/workbench/text/index.ts'
import { tokenLife } from '../../shell/token-life.tsx'
import styles from './token.module.css'

/** Uses time spans of the client's clock, so a wrong device clock does not matter. */
export function LongTokenBar({ token, now }: { readonly token: TokenStatus; readonly now: number }) {
  const life = tokenLife(token, now)
  const left = token.expiresAt - now
  return (
    <div className={styles.life}>
      <div
        role="meter"
        aria-label="Access token lifetime"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(life.passed * 100)}
        aria-valuetext={life.detail}
        className={styles.bar}
        data-state={token.state}
      >
        <i className={styles.passed} style={{ width: `${life.passed * 100}%` }} />
        <i
          className={styles.due}
          style={{ left: `${life.refreshAt * 100}%`, width: `${(1 - life.refreshAt) * 100}%` }}
        />
        <b className={styles.mark} style={{ left: `${life.refreshAt * 100}%` }} />
      </div>
      <div className={styles.scale}>
        <span>received {formatSpan(now - token.receivedAt)} ago</span>
        <span className={styles.markWords}>
          {token.refreshAt > now ? `refreshes in ${formatSpan(token.refreshAt - now)}` : 'due'}
        </span>
        <span>{left > 0 ? `expires in ${formatSpan(left)}` : 'has expired'}</span>
      </div>
    </div>
  )
}
