// PKCE: the challenge that a client sends first, and the verifier that only this client can present later.
import { createHash, timingSafeEqual } from 'node:crypto'
import { AuthError } from '../errors.ts'

export type ChallengeMethod = 's256' | 'plain'

/** Sent with a request whose link should end in a code. */
export interface Challenge {
  readonly challenge: string
  readonly method: ChallengeMethod
}

const SHORTEST = 43
const LONGEST = 128

/**
 * Reads the challenge of a request; undefined for the implicit flow.
 * @throws 400 `validation_failed` for an incomplete challenge or one that RFC 7636 does not allow
 */
export function readChallenge(challenge: string, method: string): Challenge | undefined {
  if ((challenge === '') !== (method === '')) {
    throw invalid('PKCE flow requires code_challenge_method and code_challenge')
  }
  if (challenge === '') return undefined
  if (challenge.length < SHORTEST || challenge.length > LONGEST) {
    throw invalid(`code challenge has to be between ${SHORTEST} and ${LONGEST} characters`)
  }
  if (!/^[a-zA-Z._~0-9-]+$/.test(challenge)) {
    throw invalid(
      'code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes',
    )
  }
  const normalizedMethod = method.toLowerCase()
  if (normalizedMethod !== 's256' && normalizedMethod !== 'plain') {
    throw invalid(`unsupported code_challenge method ${JSON.stringify(method)}`)
  }
  return { challenge, method: normalizedMethod }
}

/** @throws 400 `bad_code_verifier` if the verifier does not match the challenge */
export function checkVerifier({ challenge, method }: Challenge, verifier: string): void {
  const computedChallenge =
    method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
  // Compares hashes, because they have equal length.
  const [one, computed] = [challenge, computedChallenge].map(text =>
    createHash('sha256').update(text).digest(),
  )
  if (!one || !computed || !timingSafeEqual(one, computed)) {
    throw new AuthError(
      400,
      'bad_code_verifier',
      'code challenge does not match previously saved code verifier',
    )
  }
}

function invalid(message: string): AuthError {
  return new AuthError(400, 'validation_failed', message)
}
