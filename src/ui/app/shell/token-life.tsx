// Progress bar of the access token's lifetime: elapsed time, refresh mark and remaining time.
import { KeyRound } from 'lucide-react'
import type { TokenStatus } from '../../../services/client/index.ts'
import { cx } from '../../widgets/cx.ts'
import { formatClock, formatRefresh, formatSpan } from '../../../services/workbench/text/index.ts'
import { useNow } from '../hooks.ts'
import styles from './shell.module.css'

export interface TokenLife {
  /** Fractions of the lifetime, 0 to 1. */
  readonly passed: number
  readonly refreshAt: number
  readonly text: string
  readonly detail: string
}

const STATES: Readonly<Record<TokenStatus['state'], string>> = {
  fresh: 'It refreshes automatically at the mark.',
  due: 'It is due and refreshes at the next check.',
  refreshing: 'A new token is being requested.',
  delayed: 'The refresh failed and will be retried.',
  expired: 'It has expired; requests wait until it is refreshed.',
}

const part = (value: number) => Math.min(1, Math.max(0, value))

/** Content of the bar at the time `now`; pure. */
export const tokenLife = (token: TokenStatus, now: number): TokenLife => {
  const span = Math.max(1, token.expiresAt - token.receivedAt)
  // A tick of the clock may be from before the token was received.
  const left = Math.min(span, token.expiresAt - now)
  const text = token.state === 'expired' || left <= 0 ? 'expired' : formatSpan(left)
  const total = formatSpan(span)
  return {
    passed: part((now - token.receivedAt) / span),
    refreshAt: part((token.refreshAt - token.receivedAt) / span),
    text,
    detail: `Access token: ${text === 'expired' ? 'expired' : `${text} of ${total} left`}. ${STATES[token.state]} Refresh: ${formatRefresh(token, now)}. Clock: ${formatClock(token)}.`,
  }
}

/** The bar; it only updates while the page is visible. */
export function TokenBar({ token }: { readonly token: TokenStatus }) {
  const life = tokenLife(token, useNow())
  return (
    <span className={styles.token} title={life.detail} data-state={token.state} data-tour="token">
      <KeyRound size={13} aria-hidden className={styles.tokenIcon} />
      <span className={styles.tokenLabel}>token</span>
      <span className={styles.life} aria-hidden>
        <i className={cx(styles.passed)} style={{ width: `${life.passed * 100}%` }} />
        <b className={cx(styles.mark)} style={{ left: `${life.refreshAt * 100}%` }} />
      </span>
      <span className={styles.left}>{token.state === 'refreshing' ? 'refreshing' : life.text}</span>
    </span>
  )
}
