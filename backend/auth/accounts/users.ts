// Finds, creates and changes users: rows of auth.users.
import { randomUUID } from 'node:crypto'
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { refusable } from '../errors.ts'
import { addIdentity } from './identity-rows.ts'

export { asCreated, describeUser, describeUsers, type UserBody } from './user-body.ts'

type Json = Readonly<Record<string, unknown>>

/** A row of auth.users; times are ISO strings. */
export interface UserRow {
  readonly id: string
  readonly aud: string | null
  readonly role: string | null
  readonly email: string | null
  readonly encrypted_password: string | null
  readonly email_confirmed_at: string | null
  readonly invited_at: string | null
  readonly confirmation_token: string | null
  readonly confirmation_sent_at: string | null
  readonly recovery_token: string | null
  readonly recovery_sent_at: string | null
  readonly email_change_token_new: string | null
  readonly email_change: string | null
  readonly email_change_sent_at: string | null
  readonly last_sign_in_at: string | null
  readonly raw_app_meta_data: Json | null
  readonly raw_user_meta_data: Json | null
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly phone: string | null
  readonly phone_confirmed_at: string | null
  readonly phone_change: string | null
  readonly phone_change_token: string | null
  readonly phone_change_sent_at: string | null
  readonly confirmed_at: string | null
  readonly email_change_token_current: string | null
  readonly email_change_confirm_status: number | null
  readonly banned_until: string | null
  readonly reauthentication_token: string | null
  readonly reauthentication_sent_at: string | null
  readonly is_sso_user: boolean
  readonly deleted_at: string | null
  readonly is_anonymous: boolean
}

/** Columns that may be changed; `confirmed_at` is computed from others. */
export type UserPatch = Partial<Omit<UserRow, 'id' | 'confirmed_at' | 'created_at' | 'updated_at'>>

export interface NewUser {
  readonly id?: string
  readonly email?: string
  readonly phone?: string
  readonly passwordHash?: string
  readonly userMetadata?: Json
  readonly appMetadata?: Json
  readonly isAnonymous?: boolean
  readonly emailConfirmed?: boolean
  readonly phoneConfirmed?: boolean
  readonly invited?: boolean
  readonly role?: string
  readonly aud?: string
  /** The sign-in method; defaults to email or phone. With `none`, no identity is created. */
  readonly provider?: string
  /** On sign-up, identity data is copied to the metadata, and metadata to the identity. */
  readonly bySignUp?: boolean
}

export async function findUserById(tx: Queries, id: string): Promise<UserRow | undefined> {
  const [row] = await tx.query<UserRow>('select * from auth.users where id::text = lower($1)', [id])
  return row
}

/** Finds a user by address, ignoring case; single sign-on users are excluded. */
export async function findUserByEmail(tx: Queries, email: string): Promise<UserRow | undefined> {
  const [row] = await tx.query<UserRow>(
    'select * from auth.users where lower(email) = lower($1) and not is_sso_user order by created_at limit 1',
    [email],
  )
  return row
}

export async function findUserByPhone(tx: Queries, phone: string): Promise<UserRow | undefined> {
  const [row] = await tx.query<UserRow>('select * from auth.users where phone = $1', [phone])
  return row
}

/** Whether another user has the address, directly or through an identity. */
export async function isEmailTaken(tx: Queries, email: string, byOtherThan?: string): Promise<boolean> {
  const [holder] = await tx.query(
    `select 1 from auth.users u where u.id::text is distinct from $2 and not u.is_sso_user and (lower(u.email) = lower($1)
     or exists (select from auth.identities i where i.user_id = u.id and i.email = lower($1))) limit 1`,
    [email, byOtherThan ?? null],
  )
  return holder !== undefined
}

const VERIFIED = { email_verified: true }

/** Creates a user with an email or phone identity. */
export async function createUser(
  tx: Queries,
  context: Pick<AuthContext, 'clock'>,
  input: NewUser,
): Promise<UserRow> {
  const id = input.id ?? randomUUID()
  const now = timeOf(context)
  const email = input.email?.toLowerCase()
  const ways = [...(email ? ['email'] : []), ...(input.phone ? ['phone'] : [])]
  const unverified = { sub: id, email_verified: false, phone_verified: false }
  const metadata = input.bySignUp ? { ...input.userMetadata, ...unverified, ...(email ? { email } : {}) } : {}
  // A sign-up by phone leaves the number out, as the official server does.
  const phone = input.bySignUp ? {} : { phone: input.phone }
  const insert = tx.query(
    `insert into auth.users (instance_id, id, aud, role, email, phone, encrypted_password, raw_app_meta_data,
       raw_user_meta_data, is_anonymous, email_confirmed_at, phone_confirmed_at, invited_at, created_at, updated_at,
       confirmation_token, recovery_token, email_change_token_new, email_change)
     values ('00000000-0000-0000-0000-000000000000', $1, $2, $3, $4, $5, $6, $7, $8, $9,
       $10, $11, $12, $13, $13, '', '', '', '')`,
    [
      id,
      input.aud ?? 'authenticated',
      input.role ?? 'authenticated',
      email ?? null,
      input.phone ?? null,
      input.passwordHash ?? null,
      JSON.stringify({ ...providersOf(input), ...input.appMetadata }),
      JSON.stringify({ ...input.userMetadata, ...metadata, ...(input.emailConfirmed ? VERIFIED : {}) }),
      input.isAnonymous ?? false,
      input.emailConfirmed ? now : null,
      input.phoneConfirmed ? now : null,
      input.invited ? now : null,
      now,
    ],
  )
  await refusable('saving new user', insert)
  for (const provider of input.provider === undefined ? ways : []) {
    const data = { ...metadata, ...unverified, ...(provider === 'email' ? { email } : phone) }
    await addIdentity(tx, context, { userId: id, provider: provider, providerId: id, data })
  }
  return existing(await findUserById(tx, id))
}

/** The `provider` and `providers` of the app metadata. */
export function providersOf({ provider, email, phone }: NewUser): Json {
  const ways = [...(email ? ['email'] : []), ...(phone ? ['phone'] : [])]
  const providers = provider && provider !== 'none' ? [provider] : ways
  return providers.length === 0 ? {} : { provider: providers[0], providers }
}

/** Updates the given columns and returns the updated row. */
export async function updateUser(
  tx: Queries,
  context: Pick<AuthContext, 'clock'>,
  id: string,
  patch: UserPatch,
): Promise<UserRow> {
  const columns = Object.entries(patch).filter(([, value]) => value !== undefined)
  const values = columns.map(([, value]) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  )
  const sets = columns.map(([name], index) => `"${name}" = $${index + 3}`)
  const update = tx.query<UserRow>(
    `update auth.users set ${['updated_at = $2', ...sets].join(', ')} where id = $1 returning *`,
    [id, timeOf(context), ...values],
  )
  const [row] = await refusable('updating user', update)
  return existing(row)
}

/** Merges metadata: a null deletes its key. */
export function mergeMetadata(before: Json | null, updates: Json): Json {
  const merged = { ...before, ...updates }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
}

export function isBanned(context: Pick<AuthContext, 'clock'>, user: UserRow): boolean {
  return user.banned_until !== null && context.clock.now() < Date.parse(user.banned_until)
}

/** The current time in the database's format. */
export function timeOf({ clock }: Pick<AuthContext, 'clock'>): string {
  return new Date(clock.now()).toISOString()
}

function existing(user: UserRow | undefined): UserRow {
  if (!user) throw new Error('The user no longer exists')
  return user
}
