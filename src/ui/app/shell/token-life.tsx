// The access token's life as a bar: how much has passed, where the refresh is due, what remains.
import type { TokenStatus } from '../../../index.ts'
import { cx } from '../../widgets/cx.ts'
import { formatSpan } from '../format.ts'
import { useNow } from '../hooks.ts'
import { clockWords, renewalWords } from '../token-words.ts'
import styles from './shell.module.css'

export interface TokenLife {
  /** Parts of the life, 0 to 1. */
  readonly passed: number
  readonly refreshAt: number
  readonly text: string
  readonly detail: string
}

const STATES: Readonly<Record<TokenStatus['state'], string>> = {
  fresh: 'It is renewed by itself at the mark.',
  due: 'It is due and will be renewed at the next check.',
  refreshing: 'A new one is being fetched.',
  delayed: 'Renewing it failed; it will be tried again.',
  expired: 'It has expired; requests wait until it is renewed.',
}

const part = (value: number) => Math.min(1, Math.max(0, value))

/** What the bar shows at `now`; pure. */
export const tokenLife = (token: TokenStatus, now: number): TokenLife => {
  const span = Math.max(1, token.expiresAt - token.receivedAt)
  const left = token.expiresAt - now
  const text = token.state === 'expired' || left <= 0 ? 'expired' : formatSpan(left)
  const total = formatSpan(span)
  return {
    passed: part((now - token.receivedAt) / span),
    refreshAt: part((token.refreshAt - token.receivedAt) / span),
    text,
    detail: `Access token: ${text === 'expired' ? 'expired' : `${text} of ${total} left`}. ${STATES[token.state]} Renewal: ${renewalWords(token, now)}. This clock: ${clockWords(token)}.`,
  }
}

/** The bar; it moves only while the page can be seen. */
export function TokenBar({ token }: { readonly token: TokenStatus }) {
  const life = tokenLife(token, useNow())
  return (
    <span className={styles.token} title={life.detail} data-state={token.state} data-tour="token">
      <span className={styles.tokenLabel}>token</span>
      <span className={styles.life} aria-hidden>
        <i className={cx(styles.passed)} style={{ width: `${life.passed * 100}%` }} />
        <b className={cx(styles.mark)} style={{ left: `${life.refreshAt * 100}%` }} />
      </span>
      <span className={styles.left}>{token.state === 'refreshing' ? 'renewing' : life.text}</span>
    </span>
  )
}
