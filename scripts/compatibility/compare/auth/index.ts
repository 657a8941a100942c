// The conversations with an auth server, by the settings that both servers have.
import { createHash } from 'node:crypto'
import { signToken, type Conversation } from '../conversation.ts'
import { JWT_SECRET, serviceToken } from '../servers.ts'
import { ACCOUNTS, CONFIRMED_SIGN_UPS, SIGN_UPS } from './accounts.ts'
import { ADMIN } from './admin.ts'
import { FACTORS, OPTIONAL_FACTORS } from './factors.ts'
import { CLOSED, GENERAL } from './general.ts'
import { MAILS } from './mails.ts'
import { PROVIDERS } from './oauth.ts'
import { PHONES } from './profiles.ts'

export { KNOWN_OF_AUTH } from './known.ts'
export { PROFILES } from './profiles.ts'
export { removeUsers, usersOf } from './users.ts'

export const AUTH_CONVERSATIONS: Readonly<Record<string, readonly Conversation[]>> = {
  open: [...GENERAL, ...SIGN_UPS, ...PROVIDERS, ...OPTIONAL_FACTORS],
  confirm: [
    ...GENERAL,
    ...SIGN_UPS,
    ...CONFIRMED_SIGN_UPS,
    ...ACCOUNTS,
    ...MAILS,
    ...ADMIN,
    ...FACTORS,
    ...OPTIONAL_FACTORS,
    ...PROVIDERS,
  ],
  closed: [...GENERAL, ...CLOSED],
}

export const AUTH_HEADERS = [
  'allow',
  'cache-control',
  'content-type',
  'link',
  'location',
  'retry-after',
  'www-authenticate',
  'x-sb-error-code',
  'x-supabase-api-version',
  'x-total-count',
]

const VERIFIER = 'compare-compare-compare-compare-compare-compare'
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

/** The variables that a conversation starts with; addresses and numbers are its own. */
export function firstVariables(index: number): Readonly<Record<string, string>> {
  const email = `c${index + 1}@compare.test`
  const claims = { aud: 'authenticated', role: 'authenticated', sub: UNKNOWN_ID }
  const [past, future] = [1_700_000_000, 4_000_000_000]
  return {
    email,
    EMAIL: email.toUpperCase(),
    phone: PHONES[index] ?? '',
    verifier: VERIFIER,
    challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    unknownId: UNKNOWN_ID,
    newId: `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
    service: serviceToken(),
    expiredService: signToken({ role: 'service_role', exp: past }, JWT_SECRET),
    expired: signToken({ ...claims, exp: past }, JWT_SECRET),
    forged: signToken({ ...claims, exp: future }, 'another secret of at least 32 characters'),
    unknownUser: signToken({ ...claims, exp: future }, JWT_SECRET),
    unknownSession: signToken({ ...claims, exp: future, session_id: UNKNOWN_ID }, JWT_SECRET),
    unsigned: `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${Buffer.from(
      JSON.stringify({ ...claims, exp: future }),
    ).toString('base64url')}.`,
  }
}
