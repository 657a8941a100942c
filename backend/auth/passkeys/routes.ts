// The routes of passkeys: registration, sign-in and management, for users and for servers.
import type { Hono } from 'hono'
import type { Queries } from '../../database/index.ts'
import { findUserById, isBanned, type UserRow } from '../accounts/users.ts'
import { audit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { factorsOf } from '../mfa/factors.ts'
import { fieldOf, textOf } from '../../shared/fields.ts'
import { readBody, readOptionalBody, textIn } from '../requests.ts'
import { isUuid, requireServiceRole, requireUser, type TokenHolder } from '../sessions/caller.ts'
import { openSession } from '../sessions/sessions.ts'
import {
  beginAssertion,
  beginCreation,
  finishAssertion,
  finishCreation,
  type CeremonyData,
} from '../webauthn/ceremony.ts'
import { readAssertion, readCreation } from '../webauthn/responses.ts'
import {
  addPasskey,
  addPasskeyChallenge,
  describePasskey,
  notePasskeyUse,
  passkeysOf,
  removePasskey,
  renamePasskey,
  takePasskeyChallenge,
  type ChallengeType,
  type Passkey,
} from './credentials.ts'

const MOST_PASSKEYS = 10
const LONGEST_NAME = 120

/** Discoverable, so that the sign-in needs no name of the user. */
const SELECTION = { residentKey: 'required', userVerification: 'preferred' }

export function addPasskeyRoutes(app: Hono, context: AuthContext): void {
  const { database, settings } = context
  const isDisabled = !settings.passkey.enabled
  app.use('/auth/v1/passkeys/*', async (_, next) => {
    if (isDisabled) throw new AuthError(404, 'passkey_disabled', 'Passkeys are disabled')
    await next()
  })
  app.post('/auth/v1/passkeys/registration/options', ({ req }) =>
    database.owner(async tx => Response.json(await offerRegistration(tx, context, req.raw))),
  )
  app.post('/auth/v1/passkeys/registration/verify', ({ req }) => register(context, req.raw))
  app.post('/auth/v1/passkeys/authentication/options', async ({ req }) => {
    context.limits.request('passkey')
    // It may have a captcha token, which is not checked here.
    await readOptionalBody(req.raw)
    const { options, data } = beginAssertion(settings.webauthn, undefined)
    return database.owner(async tx => {
      const { id, expiresAt } = await addPasskeyChallenge(tx, context, 'authentication', null, data)
      return Response.json({ challenge_id: id, options, expires_at: expiresAt })
    })
  })
  app.post('/auth/v1/passkeys/authentication/verify', ({ req }) => signIn(context, req.raw))
  addManagementRoutes(app, context)
  addAdminRoutes(app, context)
}

async function offerRegistration(
  tx: Queries,
  context: AuthContext,
  request: Request,
): Promise<Record<string, unknown>> {
  const { user } = await requireRegistrant(tx, context, request)
  const existing = await passkeysOf(tx, user.id)
  requireRoom(existing)
  const name = user.email || user.phone || ''
  const displayName = textOf(user.raw_user_meta_data, 'name') || name
  const { options, data } = beginCreation(
    context.settings.webauthn,
    { id: user.id, name, displayName },
    existing,
    { selection: SELECTION },
  )
  const { id, expiresAt } = await addPasskeyChallenge(tx, context, 'registration', user.id, data)
  return { challenge_id: id, options, expires_at: expiresAt }
}

async function register(context: AuthContext, request: Request): Promise<Response> {
  const { database, settings } = context
  const { user } = await database.owner(tx => requireRegistrant(tx, context, request))
  const { challengeId, credential } = await readAnswer(request)
  const data = await takeChallenge(context, 'registration', user.id, challengeId)
  const answer = check('Invalid credential response', () => readCreation(credential))
  const created = check('Credential verification failed', () =>
    finishCreation(settings.webauthn, data, answer),
  )
  return database.owner(async tx => {
    // The session may have ended in the meantime.
    await requireRegistrant(tx, context, request)
    requireRoom(await passkeysOf(tx, user.id))
    const rowId = await addPasskey(tx, context, user.id, created, DEFAULT_NAME)
    if (rowId === undefined)
      throw new AuthError(422, 'webauthn_credential_exists', 'This credential is already registered')
    await audit(tx, context, user, 'passkey_created', { passkey_id: rowId })
    const passkey = pick(await passkeysOf(tx, user.id), rowId)
    return Response.json(describePasskey(passkey))
  })
}

/** The official server knows the names of many authenticators; here, all have the name of an unknown one. */
const DEFAULT_NAME = 'Passkey'

async function signIn(context: AuthContext, request: Request): Promise<Response> {
  const { database, settings } = context
  const { challengeId, credential } = await readAnswer(request)
  const data = await takeChallenge(context, 'authentication', null, challengeId)
  const answer = check('Invalid credential response', () => readAssertion(credential))
  return database.owner(async tx => {
    const userId = Buffer.from(answer.userHandle).toString()
    const user = isUuid(userId) ? await findUserById(tx, userId) : undefined
    if (!user) throw failed('Credential verification failed')
    const passkeys = await passkeysOf(tx, user.id)
    const used = check('Credential verification failed', () =>
      finishAssertion(settings.webauthn, data, { userId: user.id, credentials: passkeys }, answer),
    )
    requireAdmissible(context, user)
    const passkey = passkeys.find(({ id }) => Buffer.compare(id, used.id) === 0)
    if (!passkey || !(await notePasskeyUse(tx, context, passkey.rowId, used)))
      throw failed('Credential verification failed')
    await audit(tx, context, user, 'login', { passkey_id: passkey.rowId })
    return Response.json(await openSession(tx, context, user, { method: 'passkey', request }))
  })
}

/** @throws 403 for users that may not sign in */
function requireAdmissible(context: AuthContext, user: UserRow): void {
  if (user.email && user.email_confirmed_at === null)
    throw new AuthError(403, 'email_not_confirmed', 'Email not confirmed')
  if (user.phone && user.phone_confirmed_at === null)
    throw new AuthError(403, 'phone_not_confirmed', 'Phone not confirmed')
  if (isBanned(context, user)) throw new AuthError(403, 'user_banned', 'User is banned')
}

interface Answer {
  readonly challengeId: string
  readonly credential: unknown
}

async function readAnswer(request: Request): Promise<Answer> {
  const body = await readBody(request)
  const challengeId = textIn(body, 'challenge_id')
  const credential = fieldOf(body, 'credential') ?? undefined
  if (challengeId === '') throw invalid('challenge_id is required')
  if (credential === undefined) throw invalid('credential is required')
  if (!isUuid(challengeId)) throw invalid('challenge_id must be a valid UUID')
  return { challengeId, credential }
}

/** Ends the challenge, also if the answer turns out to be wrong. */
async function takeChallenge(
  context: AuthContext,
  type: ChallengeType,
  userId: string | null,
  id: string,
): Promise<CeremonyData> {
  const challenge = await context.database.owner(tx => takePasskeyChallenge(tx, context, type, userId, id))
  if (!challenge)
    throw new AuthError(400, 'webauthn_challenge_not_found', 'Challenge not found or already used')
  if (challenge.isExpired) throw new AuthError(400, 'webauthn_challenge_expired', 'Challenge has expired')
  return challenge.data
}

/** As in the official server, the response does not say which check failed. */
function check<T>(message: string, work: () => T): T {
  try {
    return work()
  } catch {
    throw failed(message)
  }
}

function failed(message: string): AuthError {
  return new AuthError(400, 'webauthn_verification_failed', message)
}

function invalid(message: string): AuthError {
  return new AuthError(400, 'validation_failed', message)
}

function addManagementRoutes(app: Hono, context: AuthContext): void {
  const { database } = context
  app.get('/auth/v1/passkeys', ({ req }) =>
    database.owner(async tx => {
      const { user } = await requireUser(tx, context, req.raw)
      return Response.json((await passkeysOf(tx, user.id)).map(describePasskey))
    }),
  )
  app.patch('/auth/v1/passkeys/:passkey', async ({ req }) => {
    await database.owner(tx => requireUser(tx, context, req.raw))
    if (!isUuid(req.param('passkey'))) throw notFound()
    const name = textIn(await readBody(req.raw), 'friendly_name')
    if (name === '') throw invalid('friendly_name is required')
    if (Buffer.byteLength(name) > LONGEST_NAME)
      throw invalid(`friendly_name must be ${LONGEST_NAME} characters or less`)
    return database.owner(async tx => {
      const { user } = await requireUser(tx, context, req.raw)
      const passkey = pick(await passkeysOf(tx, user.id), req.param('passkey'))
      await renamePasskey(tx, context, passkey.rowId, name)
      await audit(tx, context, user, 'passkey_updated', { passkey_id: passkey.rowId })
      return Response.json(describePasskey({ ...passkey, friendlyName: name }))
    })
  })
  app.delete('/auth/v1/passkeys/:passkey', ({ req }) =>
    database.owner(async tx => {
      const holder = await requireUser(tx, context, req.raw)
      await requireManagementAal(tx, holder)
      const passkey = pick(await passkeysOf(tx, holder.user.id), req.param('passkey'))
      await removePasskey(tx, passkey.rowId)
      await audit(tx, context, holder.user, 'passkey_deleted', { passkey_id: passkey.rowId })
      return new Response(null, { status: 204 })
    }),
  )
}

/** For servers, also while passkeys are disabled. */
function addAdminRoutes(app: Hono, context: AuthContext): void {
  const requireOwner = async (tx: Queries, id: string) => {
    if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'user_id must be an UUID')
    const user = await findUserById(tx, id)
    if (!user) throw new AuthError(404, 'user_not_found', 'User not found')
    return user
  }
  app.get('/auth/v1/admin/users/:user/passkeys', async ({ req }) => {
    await requireServiceRole(context, req.raw)
    return context.database.owner(async tx => {
      const user = await requireOwner(tx, req.param('user'))
      return Response.json((await passkeysOf(tx, user.id)).map(describePasskey))
    })
  })
  app.delete('/auth/v1/admin/users/:user/passkeys/:passkey', async ({ req }) => {
    await requireServiceRole(context, req.raw)
    return context.database.owner(async tx => {
      const user = await requireOwner(tx, req.param('user'))
      const { rowId } = pick(await passkeysOf(tx, user.id), req.param('passkey'))
      await removePasskey(tx, rowId)
      await audit(tx, context, 'service_role', 'passkey_deleted', { user_id: user.id, passkey_id: rowId })
      return new Response(null, { status: 204 })
    })
  })
}

function pick(passkeys: readonly Passkey[], id: string): Passkey {
  const passkey = passkeys.find(({ rowId }) => rowId === id.toLowerCase())
  if (!passkey) throw notFound()
  return passkey
}

function notFound(): AuthError {
  return new AuthError(404, 'validation_failed', 'Passkey not found')
}

async function requireRegistrant(tx: Queries, context: AuthContext, request: Request): Promise<TokenHolder> {
  const holder = await requireUser(tx, context, request)
  if (holder.claims['is_anonymous'] === true) {
    const message = 'Anonymous user not allowed to perform these actions'
    throw new AuthError(403, 'no_authorization', message)
  }
  if (holder.user.is_sso_user)
    throw new AuthError(422, 'validation_failed', 'SSO users cannot register passkeys')
  await requireManagementAal(tx, holder)
  return holder
}

/** A new passkey would be a way around a second factor. */
async function requireManagementAal(tx: Queries, { user, session }: TokenHolder): Promise<void> {
  const factors = await factorsOf(tx, user.id)
  if (!factors.some(({ status }) => status === 'verified') || session?.aal === 'aal2') return
  const message = 'AAL2 session is required to manage passkeys when MFA is enabled'
  throw new AuthError(403, 'insufficient_aal', message)
}

function requireRoom(passkeys: readonly Passkey[]): void {
  if (passkeys.length < MOST_PASSKEYS) return
  throw new AuthError(422, 'too_many_passkeys', 'Maximum number of passkeys reached')
}
