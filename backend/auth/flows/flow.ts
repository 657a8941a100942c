// Flows: the state of a sign-in by link or provider, from its start until its code is exchanged for a
// session.
import { randomUUID } from 'node:crypto'
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { createSeal } from '../mfa/seal.ts'
import { atRest } from '../mail/one-time-tokens.ts'
import type { Challenge, ChallengeMethod } from './pkce.ts'
import type { AuthenticationMethod } from '../sessions/sessions.ts'
import { timeOf } from '../accounts/users.ts'

export interface NewFlow {
  /** A social provider's name, or the method of an email. */
  readonly provider: string
  /** The method that the session's `amr` claim will report. */
  readonly method: AuthenticationMethod
  /** Without a challenge, the flow ends in tokens instead of a code. */
  readonly challenge?: Challenge | undefined
  readonly userId?: string
  /** The redirect target at the end of the flow. */
  readonly referrer?: string
  /** The user that a new identity will be linked to. */
  readonly linkingTargetId?: string
  readonly inviteToken?: string
}

/** A row of auth.flow_state; times are ISO strings, codes and tokens are stored hashed or encrypted. */
export interface FlowRow {
  readonly id: string
  readonly user_id: string | null
  readonly auth_code: string | null
  readonly code_challenge: string | null
  readonly code_challenge_method: ChallengeMethod | null
  readonly provider_type: string
  readonly provider_access_token: string | null
  readonly provider_refresh_token: string | null
  readonly authentication_method: AuthenticationMethod
  readonly created_at: string
  readonly auth_code_issued_at: string | null
  readonly referrer: string | null
  readonly linking_target_id: string | null
  readonly invite_token: string | null
}

/** Maximum duration of a flow; for a sign-in link it starts with the click. */
const FLOW_MS = 300_000

export async function startFlow(tx: Queries, context: AuthContext, flow: NewFlow): Promise<FlowRow> {
  const [row] = await tx.query<FlowRow>(
    `insert into auth.flow_state (id, user_id, code_challenge, code_challenge_method, provider_type,
       authentication_method, referrer, linking_target_id, invite_token, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning *`,
    [
      randomUUID(),
      flow.userId ?? null,
      flow.challenge?.challenge ?? null,
      flow.challenge?.method ?? null,
      flow.provider,
      flow.method,
      flow.referrer ?? null,
      flow.linkingTargetId ?? null,
      flow.inviteToken ?? null,
      timeOf(context),
    ],
  )
  if (!row) throw new Error('Failed to start the flow')
  return row
}

export async function findFlow(tx: Queries, id: string): Promise<FlowRow | undefined> {
  const [row] = await tx.query<FlowRow>('select * from auth.flow_state where id::text = lower($1)', [id])
  return row
}

export async function findFlowByCode(
  tx: Queries,
  context: AuthContext,
  code: string,
): Promise<FlowRow | undefined> {
  const [row] = await tx.query<FlowRow>('select * from auth.flow_state where auth_code = $1', [
    atRest(context, code),
  ])
  return row
}

export async function endFlow(tx: Queries, id: string): Promise<void> {
  await tx.query('delete from auth.flow_state where id = $1', [id])
}

export function isExpired({ clock }: Pick<AuthContext, 'clock'>, flow: FlowRow): boolean {
  const counts = flow.authentication_method === 'magiclink' ? flow.auth_code_issued_at : null
  return clock.now() > Date.parse(counts ?? flow.created_at) + FLOW_MS
}

/** Tokens issued by the provider. */
export interface ProviderTokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/**
 * Issues the code of a flow whose user is now known.
 * @returns the code, which is not readable in the database
 */
export async function issueCode(
  tx: Queries,
  context: AuthContext,
  flow: FlowRow,
  userId: string,
  tokens: ProviderTokens = { accessToken: '', refreshToken: '' },
): Promise<string> {
  const code = randomUUID()
  const seal = sealOf(context)
  await tx.query(
    `update auth.flow_state set user_id = $2, auth_code = $3, auth_code_issued_at = $4, updated_at = $4,
       provider_access_token = $5, provider_refresh_token = $6 where id = $1`,
    [
      flow.id,
      userId,
      atRest(context, code),
      timeOf(context),
      seal.close(tokens.accessToken, flow.id),
      seal.close(tokens.refreshToken, flow.id),
    ],
  )
  return code
}

/**
 * Issues the code for the user's newest flow of this method.
 * @throws 400 `flow_state_not_found` if no such flow ends in a code
 */
export async function issueCodeToUser(
  tx: Queries,
  context: AuthContext,
  userId: string,
  method: AuthenticationMethod,
): Promise<string> {
  const [flow] = await tx.query<FlowRow>(
    `select * from auth.flow_state where user_id = $1 and authentication_method = $2
     order by created_at desc, id desc limit 1`,
    [userId, method],
  )
  if (flow?.code_challenge) return issueCode(tx, context, flow, userId)
  const reason = flow
    ? 'Flow state does not have an auth code (not a PKCE flow).'
    : 'No valid flow state found for user.'
  throw new AuthError(400, 'flow_state_not_found', `No associated flow state found. ${reason}`)
}

/** The provider's own tokens, stored with the flow. */
export function providerTokensOf(context: AuthContext, flow: FlowRow): ProviderTokens {
  const open = (sealed: string | null) => (sealed ? sealOf(context).open(sealed, flow.id) : '')
  return {
    accessToken: open(flow.provider_access_token),
    refreshToken: open(flow.provider_refresh_token),
  }
}

function sealOf({ secrets }: AuthContext) {
  return createSeal(secrets.encryptionKey, 'provider tokens')
}
