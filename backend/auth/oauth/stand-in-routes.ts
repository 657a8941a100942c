// Routes of the simulated provider: sign-in page, form handling and public keys.
import { Hono, type Context } from 'hono'
import { readWhole } from '../../shared/request-body.ts'
import type { Clock } from '../../shared/clock.ts'
import { redirect } from '../redirect.ts'
import { createFormTokens } from './form-token.ts'
import { choosePage, HARBOUR_PEOPLE, refusalPage } from './page.ts'
import type { Profile } from './profile.ts'
import { isProviderName, providerTitle } from './providers.ts'
import type { StandIn } from './stand-in.ts'
import { readAuthorizationRequest, type AuthorizationRequest } from './stand-in-request.ts'

export interface StandInSite {
  readonly standIn: StandIn
  readonly clock: Clock
  /** Whether a redirect URL is allowed. */
  isAllowedRedirect(redirect: string): boolean
}

const FORM_LIMIT = 16 * 1024

/** Serves `/_chartroom/oauth/…`. */
export function createStandInSite({ standIn, clock, isAllowedRedirect }: StandInSite): Hono {
  const app = new Hono().basePath('/_chartroom/oauth')
  const forms = createFormTokens(clock)
  const read = (context: Context<object, '/:provider'>) =>
    readAuthorizationRequest(context.req.param('provider'), new URL(context.req.url), isAllowedRedirect)
  const draw = (url: URL, authorization: AuthorizationRequest, retry?: RetryValues) =>
    choosePage({
      title: providerTitle(authorization.provider),
      host: url.host,
      scopes: authorization.scopes,
      formToken: forms.issue(url.pathname + url.search),
      ...retry,
    })
  app.get('/:provider', context => {
    const authorization = read(context)
    if ('reason' in authorization) return refusalPage(400, 'This sign-in can’t start', authorization.reason)
    return draw(new URL(context.req.url), authorization)
  })
  app.post('/:provider', async context => {
    const authorization = read(context)
    if ('reason' in authorization) return refusalPage(400, 'This sign-in can’t start', authorization.reason)
    const url = new URL(context.req.url)
    const form = await readForm(context.req.raw)
    if (!forms.accepts(url.pathname + url.search, form('form_token')))
      return refusalPage(403, 'Sign in again', STALE)
    if (form('decision') === 'deny') return redirect(303, answer(authorization, DENIED))
    const profile = readProfile(form)
    if ('error' in profile) return draw(url, authorization, profile)
    return redirect(303, await approve(standIn, authorization, profile))
  })
  addMetadata(app, standIn)
  return app
}

const STALE = 'This page has expired. Return to the app and sign in again.'
const DENIED = { error: 'access_denied', error_description: 'The user canceled the sign-in' }

/** Shows the form again with an error, because the input is invalid. */
interface RetryValues {
  readonly error: string
  readonly values: { readonly email: string; readonly name: string; readonly verified: boolean }
}

type Form = (name: string) => string

async function readForm(request: Request): Promise<Form> {
  const body = await readWhole(request, FORM_LIMIT)
  const fields = new URLSearchParams(body === 'tooLarge' ? '' : await body.text())
  return name => fields.get(name)?.trim() ?? ''
}

function readProfile(form: Form): Profile | RetryValues {
  const chosenPerson = HARBOUR_PEOPLE.find(person => person.email === form('person'))
  if (chosenPerson) return chosenPerson
  const [email, name, verified] = [form('email'), form('name').slice(0, 200), form('verified') !== '']
  if (/^[^\s@\0]{1,64}@[^\s@\0]{1,190}$/.test(email))
    return { email, name: name.replaceAll('\0', ''), emailVerified: verified }
  return { values: { email, name, verified }, error: 'Enter an email such as pilot@harbour.test.' }
}

async function approve(
  standIn: StandIn,
  authorization: AuthorizationRequest,
  profile: Profile,
): Promise<string> {
  if (authorization.responseType === 'code')
    return answer(authorization, { code: standIn.issueCode(authorization.provider, profile) })
  const { idToken, accessToken, expiresIn } = await standIn.issueIdToken(
    authorization.provider,
    profile,
    authorization.nonce,
  )
  return answer(authorization, {
    id_token: idToken,
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: String(expiresIn),
  })
}

/** Codes are sent in the query, for the server to read; tokens in the fragment, which servers never see. */
function answer(
  { redirectUri, responseType, state }: AuthorizationRequest,
  fields: Record<string, string>,
): string {
  const url = new URL(redirectUri)
  const all = { ...fields, ...(state === undefined ? {} : { state }) }
  if (responseType === 'id_token') url.hash = new URLSearchParams(all).toString()
  else for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
  return url.href
}

function addMetadata(app: Hono, standIn: StandIn): void {
  app.get('/:provider/keys', async context => context.json(await standIn.keys()))
  app.get('/:provider/.well-known/openid-configuration', context => {
    const provider = context.req.param('provider')
    if (!isProviderName(provider)) return context.notFound()
    const issuer = standIn.issuer(provider)
    return context.json({
      issuer,
      authorization_endpoint: issuer,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code', 'id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    })
  })
}
