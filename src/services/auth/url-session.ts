// The address of the page: whether it carries a session, a code or an error for us, which leaves it at once.
import type { Failure } from '../../machines/failure.ts'
import type { UrlEvent } from '../../machines/ports.ts'
import type { AuthBackend } from './auth-backend.ts'
import type { AuthClient } from '../client-types.ts'
import { claimsOf } from './vault.ts'

/** The address of the page, as it is and as it should be. */
export interface PageAddress {
  readonly href: () => string
  /** Puts another address in its place, without a step in the history. */
  readonly replace: (href: string) => void
}

export interface UrlOptions {
  readonly page?: PageAddress | undefined
  /** Whether what the address carries is for this client. */
  readonly isOurs?: boolean | ((url: URL, params: Readonly<Record<string, string>>) => boolean)
}

/** The address of this page; undefined where there is none, on servers for one. */
export function pageAddress(): PageAddress | undefined {
  const { location, history } = globalThis
  if (!location?.href || !history) return undefined
  return {
    href: () => location.href,
    replace: href => history.replaceState(history.state, '', href),
  }
}

type Params = Readonly<Record<string, string>>

/** Milliseconds; well within the time that the boot has for the address. */
const WORDS_WITHIN = 500

const FLOW = 'sb_flow_id'
const OF_CODE = ['code', FLOW, 'sb']
const OF_ERROR = ['error', 'error_code', 'error_description', 'sb']

export async function detectUrl(backend: AuthBackend): Promise<UrlEvent> {
  const { page, isOurs = true } = backend
  const url = page && URL.canParse(page.href()) ? new URL(page.href()) : undefined
  if (!page || !url || isOurs === false) return { type: 'url.none' }
  const hash = Object.fromEntries(new URLSearchParams(url.hash.slice(1)))
  const query = Object.fromEntries(url.searchParams)
  const params: Params = { ...hash, ...query }
  if (!['access_token', 'code', 'error', 'error_code'].some(name => name in params))
    return { type: 'url.none' }
  if (isOurs !== true && !isOurs(url, params)) return { type: 'url.foreign' }
  const clean = (names: readonly string[], withHash: boolean) => {
    for (const name of names) url.searchParams.delete(name)
    if (withHash) url.hash = ''
    page.replace(withHash ? url.href.replace(/#$/, '') : url.href)
  }
  if (isError(hash) || isError(query)) {
    // The mark stands in the hash alone where the server writes its error into both.
    const isTwice = isError(hash) && query['error'] === hash['error'] && !('state' in query)
    clean(isTwice || isError(query) ? OF_ERROR : [], isError(hash))
    return { type: 'url.failed', failure: await failureOf(backend, params) }
  }
  if (isSession(hash)) {
    clean([], true)
    return takeTokens(backend, hash)
  }
  if (query['code'] === undefined) return { type: 'url.foreign' }
  return takeCode(backend, query, () => clean(OF_CODE, false))
}

/** In our words, if they come soon: the boot waits for this. */
function failureOf({ account, clock }: AuthBackend, params: Params): Promise<Failure> {
  return new Promise(resolve => {
    const timer = clock.setTimeout(() => resolve(unnamed), WORDS_WITHIN)
    const tell = (failure: Failure) => {
      clock.clearTimeout(timer)
      resolve(failure)
    }
    account().then(
      ({ linkFailure }) => tell(linkFailure(params)),
      () => tell(unnamed),
    )
  })
}

/** The auth server's own errors: marked as such, or with its code. A foreign one comes with a `state`. */
const isError = (params: Params) =>
  !('state' in params) && ('error_code' in params || ('error' in params && 'sb' in params))

/** Whole, and with a token such as the auth server makes; other providers send other things in a hash. */
function isSession(params: Params): boolean {
  const isWhole =
    ['access_token', 'refresh_token', 'token_type'].every(name => params[name]) &&
    secondsOf(params['expires_in']) !== undefined
  const claims = claimsOf(params['access_token'] ?? '')
  return isWhole && typeof claims['sub'] === 'string' && ('session_id' in claims || 'aal' in claims)
}

/** Anybody can write an address: of a time that is none, nothing is reckoned. */
export const secondsOf = (text = '') => (/^[1-9]\d{0,10}$/.test(text) ? Number(text) : undefined)

async function takeTokens(backend: AuthBackend, params: Params): Promise<UrlEvent> {
  const { vault, id, flowType, account } = backend
  // Whoever takes codes alone must not be signed in by a hash that somebody else made up.
  if (flowType === 'pkce') {
    const failure = await failureOf(backend, { error_code: 'flow_mismatch' })
    return { type: 'url.mismatch', failure }
  }
  const attempt = id()
  const recovery = params['type'] === 'recovery'
  const { access_token = '', refresh_token = '', provider_token = '', provider_refresh_token = '' } = params
  const secrets = [access_token, refresh_token, provider_token, provider_refresh_token]
  const run = async (client: AuthClient) => (await account()).withUser(client, params)
  vault.put(attempt, { secrets: secrets.filter(secret => secret !== ''), run, recovery })
  return { type: 'url.found', attempt, kind: 'tokens', recovery }
}

async function takeCode(backend: AuthBackend, params: Params, clean: () => void): Promise<UrlEvent> {
  const { storage, storageKey, vault, id, flowType } = backend
  const { code = '', [FLOW]: flowId } = params
  // A verifier may be left from a sign-in that was given up, when another provider leads back with its code.
  if (flowId === undefined && !OUR_CODE.test(code)) return { type: 'url.foreign' }
  const slot = flowId === undefined ? '' : `-flow-${flowId}`
  const verifier = await storage.getItem(`${storageKey}${slot}-code-verifier`)
  if (verifier === null || verifier === undefined) {
    const isLost = flowId !== undefined || 'sb' in params || (flowType === 'pkce' && !('state' in params))
    if (!isLost) return { type: 'url.foreign' }
    clean()
    const failure = await failureOf(backend, { error_code: 'verifier_missing' })
    return { type: 'url.verifierMissing', failure }
  }
  clean()
  const attempt = id()
  const options = flowId === undefined ? undefined : { flowId }
  vault.put(attempt, { secrets: [code], run: client => client.exchangeCodeForSession(code, options) })
  return { type: 'url.found', attempt, kind: 'code', recovery: false }
}

/** Ours are UUIDs; codes of other providers come with a `state`. */
const OUR_CODE = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const unnamed: Failure = {
  kind: 'auth',
  message: 'This link did not sign you in. Ask for a new one.',
}
