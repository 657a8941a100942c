// The routes of multi-factor sign-in: enroll, challenge, verify and remove, for users and for servers.
import type { Context, Hono } from 'hono'
import type { Queries } from '../../database/index.ts'
import { audit } from '../audit.ts'
import { isUuid, requireCaller, requireServiceRole, type Caller } from '../sessions/caller.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { readBody, textIn } from '../requests.ts'
import { findUserById } from '../accounts/users.ts'
import { addressOf } from './address.ts'
import { enrolFactor, nameConflict } from './enrol.ts'
import { describeFactor } from './factor-body.ts'
import { factorsOf, removeFactor, renameFactor, type FactorRow } from './factors.ts'
import { readSecurityKeyAnswer } from './security-key.ts'
import { challengeFactor, proveFactor } from './verify.ts'

type FactorPath = Context<object, '/auth/v1/factors/:factor'>
type AdminPath = Context<object, '/auth/v1/admin/users/:user/factors/:factor'>

export function addMfaRoutes(app: Hono, context: AuthContext): void {
  app.post('/auth/v1/factors', async ({ req }) => {
    const caller = await context.database.owner(tx => requirePermanentCaller(tx, context, req.raw))
    const body = await readBody(req.raw)
    const request = {
      factorType: textIn(body, 'factor_type'),
      friendlyName: textIn(body, 'friendly_name'),
      issuer: textIn(body, 'issuer'),
    }
    return Response.json(await context.database.owner(tx => enrolFactor(tx, context, caller, request)))
  })
  app.post('/auth/v1/factors/:factor/challenge', async route => {
    await context.database.owner(tx => requireFactor(tx, context, route))
    context.limits.request('factorChallenge')
    const address = addressOf(route.req.raw)
    return context.database.owner(async tx => {
      const { caller, factor } = await requireFactor(tx, context, route)
      return Response.json(await challengeFactor(tx, context, caller, factor, address))
    })
  })
  app.post('/auth/v1/factors/:factor/verify', route => verify(context, route))
  app.delete('/auth/v1/factors/:factor', async route =>
    context.database.owner(async tx => {
      const { factor, caller } = await requireFactor(tx, context, route)
      if (factor.status === 'verified' && caller.session.aal !== 'aal2') {
        throw new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor')
      }
      await removeFactor(tx, factor)
      await audit(tx, context, caller.user, 'factor_unenrolled', {
        factor_id: factor.id,
        factor_status: factor.status,
        session_id: caller.sessionId,
      })
      return Response.json({ id: factor.id })
    }),
  )
  addAdminRoutes(app, context)
}

async function verify(context: AuthContext, route: FactorPath): Promise<Response> {
  const { factor: requestedFactor } = await context.database.owner(tx => requireFactor(tx, context, route))
  context.limits.request('factorVerify')
  const body = await readBody(route.req.raw)
  const challengeId = textIn(body, 'challenge_id')
  const code = textIn(body, 'code')
  if ('challenge_id' in body && !isUuid(challengeId)) {
    throw new AuthError(400, 'bad_json', 'Could not parse request body as JSON: challenge_id is not a UUID')
  }
  const isSecurityKey = requestedFactor.factor_type === 'webauthn'
  if (code === '' && !isSecurityKey) {
    throw new AuthError(400, 'validation_failed', 'Code needs to be non-empty')
  }
  const isVerifiable = context.settings.mfa.webAuthn.verifyEnabled
  const webauthn = isSecurityKey && isVerifiable ? readSecurityKeyAnswer(body) : undefined
  const outcome = await context.database.owner(async tx => {
    const { factor, caller } = await requireFactor(tx, context, route)
    const proof = { challengeId, code, webauthn, address: addressOf(route.req.raw), request: route.req.raw }
    return proveFactor(tx, context, caller, factor, proof)
  })
  if ('refusal' in outcome) throw outcome.refusal
  return Response.json(outcome.session)
}

function addAdminRoutes(app: Hono, context: AuthContext): void {
  app.get('/auth/v1/admin/users/:user/factors', async ({ req }) => {
    await requireServiceRole(context, req.raw)
    const factors = await context.database.owner(tx => factorsOfUser(tx, req.param('user')))
    return Response.json(factors.map(describeFactor))
  })
  app.delete('/auth/v1/admin/users/:user/factors/:factor', async route => {
    await requireServiceRole(context, route.req.raw)
    return context.database.owner(async tx => {
      const factor = await factorOfUser(tx, route)
      await removeFactor(tx, factor)
      await audit(tx, context, 'service_role', 'factor_deleted', traitsOf(factor))
      return Response.json(describeFactor(factor))
    })
  })
  app.put('/auth/v1/admin/users/:user/factors/:factor', async route => {
    await requireServiceRole(context, route.req.raw)
    const name = textIn(await readBody(route.req.raw), 'friendly_name')
    return context.database.owner(async tx => {
      const factor = await factorOfUser(tx, route)
      if (name === '') return Response.json(describeFactor(factor))
      const otherFactors = (await factorsOf(tx, factor.user_id)).filter(({ id }) => id !== factor.id)
      if (otherFactors.some(factor => factor.friendly_name === name)) throw nameConflict(name)
      await renameFactor(tx, context, factor.id, name)
      await audit(tx, context, 'service_role', 'factor_updated', traitsOf(factor))
      return Response.json(describeFactor({ ...factor, friendly_name: name }))
    })
  })
}

function traitsOf(factor: FactorRow): Record<string, unknown> {
  return { user_id: factor.user_id, factor_id: factor.id, factor_type: factor.factor_type }
}

async function requirePermanentCaller(tx: Queries, context: AuthContext, request: Request): Promise<Caller> {
  const caller = await requireCaller(tx, context, request)
  if (caller.claims['is_anonymous'] !== true) return caller
  throw new AuthError(403, 'no_authorization', 'Anonymous user not allowed to perform these actions')
}

async function requireFactor(
  tx: Queries,
  context: AuthContext,
  { req }: FactorPath,
): Promise<{ readonly caller: Caller; readonly factor: FactorRow }> {
  const caller = await requirePermanentCaller(tx, context, req.raw)
  return { caller, factor: pick(await factorsOf(tx, caller.user.id), req.param('factor')) }
}

async function factorsOfUser(tx: Queries, userId: string): Promise<FactorRow[]> {
  if (!isUuid(userId)) throw new AuthError(404, 'validation_failed', 'user_id must be an UUID')
  const user = await findUserById(tx, userId)
  if (!user) throw new AuthError(404, 'user_not_found', 'User not found')
  return factorsOf(tx, user.id)
}

async function factorOfUser(tx: Queries, { req }: AdminPath): Promise<FactorRow> {
  return pick(await factorsOfUser(tx, req.param('user')), req.param('factor'))
}

function pick(factors: readonly FactorRow[], id: string): FactorRow {
  if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'factor_id must be an UUID')
  const factor = factors.find(candidate => candidate.id === id.toLowerCase())
  if (!factor) throw new AuthError(404, 'mfa_factor_not_found', 'Factor not found')
  return factor
}
