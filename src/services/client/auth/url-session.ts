// Detects a session, code or error in the page's URL, and removes it from the URL at once.
import type { Failure, UrlEvent } from '../../../machines/index.ts'
import type { AuthBackend } from './session-store.ts'
import type { AuthClient } from '../client-types.ts'
import { parseUrl } from '../../runtime/index.ts'
import { claimsOf } from './vault.ts'

/** Access to the page's URL. */
export interface PageAddress {
  readonly href: () => string
  /** Replaces the URL without adding a history entry. */
  readonly replace: (href: string) => void
}

export interface UrlOptions {
  readonly page?: PageAddress | undefined
  /** Whether the URL's parameters are for this client. */
  readonly isOurs?: boolean | ((url: URL, params: Readonly<Record<string, string>>) => boolean)
}

/** Returns access to this page's URL; undefined without one, e.g. on servers. */
export function pageAddress(): PageAddress | undefined {
  const { location, history } = globalThis
  if (!location?.href || !history) return undefined
  return {
    href: () => location.href,
    replace: href => history.replaceState(history.state, '', href),
  }
}

type Params = Readonly<Record<string, string>>

/** In ms; well within the boot's time limit for the URL. */
const WORDS_WITHIN = 5_000

const FLOW = 'sb_flow_id'
const OF_CODE = ['code', FLOW, 'sb']
const OF_ERROR = ['error', 'error_code', 'error_description', 'sb']

export async function detectUrl(backend: AuthBackend): Promise<UrlEvent> {
  const { page, isOurs = true } = backend
  const url = page && parseUrl(page.href())
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
    // If the server writes its error to both query and hash, only the hash has the mark.
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

/** Returns a failure with our own message if that loads in time, since the boot waits for it. */
function failureOf({ account, clock }: AuthBackend, params: Params): Promise<Failure> {
  return new Promise(resolve => {
    const timer = clock.setTimeout(() => resolve(unnamed), WORDS_WITHIN)
    const report = (failure: Failure) => {
      clock.clearTimeout(timer)
      resolve(failure)
    }
    account().then(
      ({ linkFailure }) => report(linkFailure(params)),
      () => report(unnamed),
    )
  })
}

/**
 * Detects errors of the auth server: marked, or with its error code. Errors of other providers have a
 * `state`.
 */
const isError = (params: Params) =>
  !('state' in params) && ('error_code' in params || ('error' in params && 'sb' in params))

/**
 * Whether the hash has a complete session with a token of the auth server; other providers use other
 * parameters.
 */
function isSession(params: Params): boolean {
  const isWhole =
    ['access_token', 'refresh_token', 'token_type'].every(name => params[name]) &&
    secondsOf(params['expires_in']) !== undefined
  const claims = claimsOf(params['access_token'] ?? '')
  return isWhole && typeof claims['sub'] === 'string' && ('session_id' in claims || 'aal' in claims)
}

/** Anyone can craft a URL, so invalid times are ignored. */
export const secondsOf = (text = '') => (/^[1-9]\d{0,10}$/.test(text) ? Number(text) : undefined)

async function takeTokens(backend: AuthBackend, params: Params): Promise<UrlEvent> {
  const { vault, id, flowType, account } = backend
  // With PKCE, a hash that another person crafted must not sign the user in.
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
  // A verifier of an abandoned sign-in may exist when another provider redirects with its own code.
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

/** Our codes are UUIDs; codes of other providers come with a `state`. */
const OUR_CODE = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const unnamed: Failure = {
  kind: 'auth',
  message: 'This link did not sign you in. Request a new one.',
}
