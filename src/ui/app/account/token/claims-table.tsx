// Header and claims of the access token, each with its meaning and its value formatted for display.
import type { ReactNode } from 'react'
import { claimsOf, headerOf } from '../../../../services/workbench/accounts/index.ts'
import styles from './token.module.css'
import { formatSpan, formatDateTime } from '../../../../services/workbench/text/index.ts'

interface RowsProps {
  readonly caption: string
  readonly rows: readonly (readonly [name: string, meaning: string, value: ReactNode])[]
}

function Rows({ caption, rows }: RowsProps) {
  return (
    <table className={styles.claims}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Meaning</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, meaning, value]) => (
          <tr key={name}>
            <th scope="row" className={styles.name}>
              {name}
            </th>
            <td className={styles.meaning}>{meaning}</td>
            <td className={styles.value}>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Decodes only: no signature or claim is verified. */
export function ClaimsTable({ token }: { readonly token: string }) {
  const claims = claimsOf(token)
  return (
    <>
      <Rows
        caption={`Claims, lifetime ${lifeWords(claims)}`}
        rows={inOrder(claims).map(([name, value]) => [name, claimMeaning(name), claimWords(name, value)])}
      />
      <Rows
        caption="Header"
        rows={Object.entries(headerOf(token)).map(([name, value]) => [
          name,
          headerMeaning(name),
          headerWords(name, value),
        ])}
      />
    </>
  )
}

const MEANINGS: Readonly<Record<string, string>> = {
  iss: 'Issuer: the auth server',
  sub: 'Subject: your user ID, auth.uid() in policies',
  aud: 'Audience',
  exp: 'Expires at',
  iat: 'Issued at',
  nbf: 'Not valid before',
  jti: 'Token ID',
  email: 'Your email when the token was issued',
  phone: 'Your phone number when the token was issued',
  role: 'The database role that your requests run as',
  aal: 'Assurance level: aal2 means a second factor was verified',
  amr: 'How you signed in, latest first',
  session_id: 'The session of this token',
  is_anonymous: 'Whether you are a guest',
  app_metadata: 'Metadata set by the backend; only servers can change it',
  user_metadata: 'Metadata that you can change; policies should not trust it',
  ref: 'The project',
}

const HEADER: Readonly<Record<string, string>> = {
  alg: 'Signature algorithm',
  kid: 'Key ID',
  typ: 'Token type',
}

const ALGORITHMS: Readonly<Record<string, string>> = {
  HS256: 'signed with a shared secret',
  ES256: 'signed with a key pair; anyone can verify it',
  RS256: 'signed with a key pair; anyone can verify it',
  EdDSA: 'signed with a key pair; anyone can verify it',
}

const claimMeaning = (name: string): string =>
  Object.hasOwn(MEANINGS, name) ? (MEANINGS[name] ?? '') : 'Added by this backend'

const headerMeaning = (name: string): string =>
  Object.hasOwn(HEADER, name) ? (HEADER[name] ?? '') : 'Added by this backend'

const TIMES: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'auth_time'])

/** Timestamps are shown in the user's time zone unless another is given. */
const instantWords = (seconds: number, timeZone?: string): string => formatDateTime(seconds * 1000, timeZone)

const plain = (value: unknown): string =>
  value === ''
    ? '(empty)'
    : typeof value === 'string'
      ? value
      : (JSON.stringify(value, null, 2) ?? 'undefined')

interface Method {
  readonly method?: unknown
  readonly timestamp?: unknown
}

const methodWords = (value: unknown, timeZone?: string): string => {
  const { method, timestamp } = (typeof value === 'object' && value !== null ? value : {}) as Method
  if (typeof method !== 'string') return plain(value)
  return typeof timestamp === 'number' ? `${method}, ${instantWords(timestamp, timeZone)}` : method
}

/** A claim's value, with an explanation if there is one. */
export const claimWords = (name: string, value: unknown, timeZone?: string): string => {
  if (TIMES.has(name) && typeof value === 'number') return `${value} · ${instantWords(value, timeZone)}`
  if (name === 'amr' && Array.isArray(value)) return value.map(each => methodWords(each, timeZone)).join('\n')
  return plain(value)
}

export const headerWords = (name: string, value: unknown): string => {
  const text = plain(value)
  const known = name === 'alg' && Object.hasOwn(ALGORITHMS, text) ? ALGORITHMS[text] : undefined
  return known === undefined ? text : `${text} · ${known}`
}

/** Well-known claims first, in their usual order; then what the backend added. */
export const inOrder = (
  claims: Readonly<Record<string, unknown>>,
): readonly (readonly [string, unknown])[] => {
  const order = Object.keys(MEANINGS)
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return Object.entries(claims).sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
}

/** Lifetime according to the token's own claims. */
export const lifeWords = ({ exp, iat }: Readonly<Record<string, unknown>>): string =>
  typeof exp === 'number' && typeof iat === 'number' ? formatSpan((exp - iat) * 1000) : 'unknown'
