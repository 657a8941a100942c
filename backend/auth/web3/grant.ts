// The web3 grant: exchanges a message that a wallet signed for a session.
import { createHash } from 'node:crypto'
import type { Clock } from '../../shared/clock.ts'
import { audit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError, OAuthError } from '../errors.ts'
import { accountFor } from '../identities/external.ts'
import { redirectSettings } from '../mail/links.ts'
import { isAllowedRedirect } from '../mail/redirects.ts'
import { textIn, type Body } from '../requests.ts'
import { openSession } from '../sessions/sessions.ts'
import { MessageError, parseSignInMessage, type Chain, type SignInMessage } from './message.ts'
import { isEthereumSignature, isSolanaSignature } from './signatures.ts'

/** How long before and after its time a message may be used. */
const VALID_MS = 600_000
const SHORTEST_MESSAGE = 64
const LONGEST_MESSAGE = 20 * 1024

const TITLES: Readonly<Record<Chain, string>> = { solana: 'Solana', ethereum: 'Ethereum' }

/** Returns the handler of `grant_type=web3`. */
export function createWeb3Grant(clock: Clock) {
  const used = createUsedMessages(clock)
  return async (context: AuthContext, request: Request, body: Body): Promise<Response> => {
    const chain = chooseChain(context, body)
    const message = await readSignedMessage(chain, body)
    requireThisSite(context, chain, message)
    requireCurrent(context, chain, message)
    if (!used.take(message)) throw refused(`Signed ${TITLES[chain]} message was already used`)
    try {
      return Response.json(await enter(context, request, chain, message))
    } catch (error) {
      // A sign-in that failed may be repeated.
      used.giveBack(message)
      throw error
    }
  }
}

async function enter(context: AuthContext, request: Request, chain: Chain, message: SignInMessage) {
  const { address, network, domain, uri } = message
  const sub = `web3:${chain}:${address}`
  const statement = message.statement ?? (chain === 'solana' ? '' : null)
  const data = {
    custom_claims: { address, chain, network, domain, statement },
    email_verified: false,
    phone_verified: false,
    sub,
  }
  const identity = { provider: 'web3', sub, email: '', emailVerified: false, isEmailOptional: true, data }
  const outcome = await context.database.owner(async tx => {
    const signIn = await accountFor(tx, context, identity, request)
    if ('refusal' in signIn) return signIn
    await audit(tx, context, signIn.user, 'login', {
      provider: 'web3',
      chain,
      network,
      address,
      domain,
      uri,
    })
    return { session: await openSession(tx, context, signIn.user, { method: 'web3', request }) }
  })
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.session
}

function chooseChain({ settings: { web3 } }: AuthContext, body: Body): Chain {
  const disabled = (what: string) =>
    new AuthError(422, 'web3_provider_disabled', `${what} provider is disabled`)
  if (!web3.solana.enabled && !web3.ethereum.enabled) throw disabled('Web3')
  const chain = textIn(body, 'chain')
  if (chain !== 'solana' && chain !== 'ethereum')
    throw new AuthError(400, 'web3_unsupported_chain', 'Unsupported chain')
  if (!web3[chain].enabled) throw disabled(`${TITLES[chain]} Web3`)
  return chain
}

/** @throws AuthError for a malformed message or signature, OAuthError if the address did not sign it */
async function readSignedMessage(chain: Chain, body: Body): Promise<SignInMessage> {
  const text = textIn(body, 'message')
  const length = Buffer.byteLength(text)
  if (length < SHORTEST_MESSAGE) throw invalid('message is too short')
  if (length > LONGEST_MESSAGE) throw invalid('message must not exceed 20KB')
  const signature = textIn(body, 'signature')
  const isSigned = signatureCheck(chain, signature)
  const message = parse(chain, text)
  if (await isSigned(message)) return message
  throw refused('Signature does not match address in message')
}

/** @throws AuthError unless the signature has the chain's form */
function signatureCheck(chain: Chain, signature: string) {
  if (chain === 'ethereum') {
    if (signature.replace(/^0x/, '').length !== 130)
      throw invalid('signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string')
    return (message: SignInMessage) => isEthereumSignature(message, signature)
  }
  if (signature.length !== 86 && signature.length !== 88)
    throw invalid('signature must be 64 bytes encoded as base64 with or without padding')
  const bare = signature.replace(/={1,2}$/, '')
  return (message: SignInMessage) => {
    // Only a well-formed message gets this far, as in the official server.
    if (!/^[\w+/-]{86}$/.test(bare)) throw invalid('signature does not contain valid base64 characters')
    return isSolanaSignature(message, new Uint8Array(Buffer.from(bare, 'base64')))
  }
}

function parse(chain: Chain, text: string): SignInMessage {
  try {
    return parseSignInMessage(chain, text)
  } catch (error) {
    if (error instanceof MessageError) throw invalid(error.message)
    throw error
  }
}

/** A message for another site, which an attacker may have obtained there, must not sign in here. */
function requireThisSite(context: AuthContext, chain: Chain, { uri, domain }: SignInMessage): void {
  const settings = redirectSettings(context)
  const { protocol, hostname } = new URL(uri)
  const isLocal = hostname === 'localhost'
  const signed = `Signed ${TITLES[chain]} message is using`
  if (protocol !== 'https:' && !isLocal) throw refused(`${signed} URI which does not use HTTPS`)
  if (!isAllowedRedirect(settings, uri))
    throw refused(`${signed} URI which is not allowed on this server, message was signed for another app`)
  if (isLocal) return
  const [, host] = /^[^:]+:\/\/([^/?#]*)/.exec(uri) ?? []
  if (host !== domain || !isAllowedRedirect(settings, `https://${domain}/`))
    throw refused(`${signed} a Domain that does not match the one in URI which is not allowed on this server`)
}

function requireCurrent({ clock }: AuthContext, chain: Chain, message: SignInMessage): void {
  const now = clock.now()
  const title = TITLES[chain]
  const { notBefore, expiresAt, issuedAt } = message
  if (notBefore && now < notBefore.getTime())
    throw refused(`Signed ${title} message becomes valid in the future`)
  // The official server ignores the expiration of an Ethereum message without a "Not Before".
  if (expiresAt && now > expiresAt.getTime()) throw refused(`Signed ${title} message is expired`)
  if (now > issuedAt.getTime() + VALID_MS) throw refused(`${title} message was issued too long ago`)
  if (now < issuedAt.getTime() - VALID_MS) throw refused(`${title} message was issued too far in the future`)
}

function invalid(message: string): AuthError {
  return new AuthError(400, 'validation_failed', message)
}

function refused(message: string): OAuthError {
  return new OAuthError('invalid_grant', message)
}

interface UsedMessages {
  /** Returns whether the message was not used before. */
  take(message: SignInMessage): boolean
  giveBack(message: SignInMessage): void
}

/**
 * Stricter than the official server, which accepts a message again while it is valid. The messages are kept in memory,
 * until they have expired: only those with a right signature, so that they cannot fill it.
 */
function createUsedMessages(clock: Clock): UsedMessages {
  const until = new Map<string, number>()
  const keyOf = ({ text }: SignInMessage) => createHash('sha256').update(text).digest('base64')
  return {
    take(message) {
      for (const [key, time] of until) if (clock.now() > time) until.delete(key)
      const key = keyOf(message)
      if (until.has(key)) return false
      until.set(key, message.issuedAt.getTime() + VALID_MS)
      return true
    },
    giveBack(message) {
      until.delete(keyOf(message))
    },
  }
}
