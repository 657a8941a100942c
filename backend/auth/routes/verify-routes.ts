// `/verify`: responds to a followed link with a redirect, and to a posted token or code with a session.
import type { Hono } from 'hono'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { issueCodeToUser } from '../flows/flow.ts'
import { redirectSettings, withCode, withError, withMessage, withSession } from '../mail/links.ts'
import { PKCE_PREFIX } from '../mail/one-time-tokens.ts'
import { redirectOf } from '../mail/redirects.ts'
import { redirect } from '../redirect.ts'
import { readBody } from '../requests.ts'
import { openSession, type AuthenticationMethod } from '../sessions/sessions.ts'
import { confirm } from '../verify/confirm.ts'
import { ownerOfAddress, ownerOfToken } from '../verify/owner.ts'
import { invalid, readLink, readPosted, type ByToken } from '../verify/parameters.ts'

const OTHER_TO_COME = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

export function addVerifyRoutes(app: Hono, context: AuthContext): void {
  app.get('/auth/v1/verify', async ({ req: { raw: request } }) => {
    // A HEAD request, which some programs use to check links, must not use one up.
    if (request.method === 'HEAD') return new Response(null, { status: 405 })
    const link = readLink(new URL(request.url).searchParams)
    context.limits.request('verify', link.token)
    const target = redirectOf(redirectSettings(context), request)
    const location = await followLink(context, request, link, target)
    return redirect(303, location)
  })
  app.post('/auth/v1/verify', async ({ req: { raw: request } }) =>
    Response.json(await verifyPosted(context, request)),
  )
}

async function followLink(
  context: AuthContext,
  request: Request,
  link: ByToken,
  target: string,
): Promise<string> {
  const isPkce = link.token.startsWith(PKCE_PREFIX)
  try {
    return await context.database.owner(async tx => {
      const owner = await ownerOfToken(tx, context, link)
      const user = await confirm(tx, context, owner, link.token)
      if (!user) return withMessage(target, OTHER_TO_COME, isPkce)
      if (isPkce) {
        return withCode(target, await issueCodeToUser(tx, context, user.id, methodOf(owner.type)))
      }
      const session = await openSession(tx, context, user, { method: 'otp', request })
      return withSession(target, session, { type: owner.type })
    })
  } catch (error) {
    if (error instanceof AuthError) return withError(target, error, isPkce)
    throw error
  }
}

/** The method of the flow that a link of this type ends. */
function methodOf(type: string): AuthenticationMethod {
  switch (type) {
    case 'signup':
      return 'email/signup'
    case 'invite':
    case 'recovery':
    case 'magiclink':
    case 'email_change':
      return type
    default:
      throw invalid('Unsupported verification type')
  }
}

async function verifyPosted(context: AuthContext, request: Request): Promise<unknown> {
  const verification = readPosted(await readBody(request))
  context.limits.request('verify', verification.by === 'token' ? verification.token : verification.address)
  return context.database.owner(async tx => {
    const owner =
      verification.by === 'token'
        ? await ownerOfToken(tx, context, verification)
        : await ownerOfAddress(tx, context, verification)
    const user = await confirm(tx, context, owner, verification.token)
    if (!user) return { msg: OTHER_TO_COME, code: '200' }
    return openSession(tx, context, user, { method: 'otp', request })
  })
}
