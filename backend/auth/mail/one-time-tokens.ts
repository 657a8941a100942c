// One-time tokens: the codes and link tokens in emails; only keyed hashes of them are stored.
import { createHash, createHmac, hkdfSync, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { timeOf } from '../accounts/users.ts'

export type TokenType =
  | 'confirmation_token'
  | 'reauthentication_token'
  | 'recovery_token'
  | 'email_change_token_new'
  | 'email_change_token_current'
  | 'phone_change_token'

/** Prefix of link tokens whose flow ends in a code to exchange. */
export const PKCE_PREFIX = 'pkce_'

const SHORTEST_CODE = 6
const LONGEST_CODE = 10

/** Generates a code of decimal digits. */
export function generateOtp(length: number): string {
  const digits = length >= SHORTEST_CODE && length <= LONGEST_CODE ? length : SHORTEST_CODE
  return Array.from({ length: digits }, () => randomInt(10)).join('')
}

/** The token of a code, used in the link and by `verifyOtp({ token_hash })`. */
export function tokenFor(address: string, otp: string): string {
  return createHash('sha224').update(`${address}${otp}`).digest('hex')
}

export interface NewToken {
  readonly userId: string
  readonly type: TokenType
  /** Email address or phone number. */
  readonly relatesTo: string
  readonly token: string
}

/** Stores a token, replacing the user's previous token of the same type. */
export async function storeToken(tx: Queries, context: AuthContext, token: NewToken): Promise<void> {
  await tx.query(
    `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (user_id, token_type) do update set
       token_hash = excluded.token_hash, relates_to = excluded.relates_to, updated_at = excluded.updated_at`,
    [
      randomUUID(),
      token.userId,
      token.type,
      atRest(context, token.token),
      token.relatesTo.toLowerCase(),
      timeOf(context).replace('Z', ''),
    ],
  )
}

/** The token's user and type. */
export interface FoundToken {
  readonly user_id: string
  readonly token_type: TokenType
}

export async function findToken(
  tx: Queries,
  context: AuthContext,
  token: string,
  types: readonly TokenType[],
): Promise<FoundToken | undefined> {
  const [row] = await tx.query<FoundToken>(
    `select user_id, token_type::text from auth.one_time_tokens
     where token_hash = $1 and token_type::text = any($2) order by token_type limit 1`,
    [atRest(context, token), types],
  )
  return row
}

/** Whether the user has this token, from a link with or without a code to exchange. */
export async function hasToken(
  tx: Queries,
  context: AuthContext,
  userId: string,
  type: TokenType,
  token: string,
): Promise<boolean> {
  const [row] = await tx.query<{ token_hash: string }>(
    'select token_hash from auth.one_time_tokens where user_id = $1 and token_type::text = $2',
    [userId, type],
  )
  return [token, `${PKCE_PREFIX}${token}`]
    .map(candidate => isEqual(row?.token_hash ?? '', atRest(context, candidate)))
    .includes(true)
}

export async function clearToken(tx: Queries, userId: string, type: TokenType): Promise<void> {
  await tx.query('delete from auth.one_time_tokens where user_id = $1 and token_type::text = $2', [
    userId,
    type,
  ])
}

export async function clearTokens(tx: Queries, userId: string): Promise<void> {
  await tx.query('delete from auth.one_time_tokens where user_id = $1', [userId])
}

const KEY_BYTES = 32

/**
 * The keyed hash of a token. Six digits are quickly guessed, but not without the key, which is not in the
 * database.
 */
export function atRest({ secrets }: Pick<AuthContext, 'secrets'>, token: string): string {
  const key = hkdfSync('sha256', secrets.encryptionKey, '', 'chartroom one-time tokens', KEY_BYTES)
  return createHmac('sha256', new Uint8Array(key)).update(token).digest('hex')
}

function isEqual(one: string, b: string): boolean {
  return one.length === b.length && timingSafeEqual(Buffer.from(one), Buffer.from(b))
}
