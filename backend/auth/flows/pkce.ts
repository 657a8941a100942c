// PKCE: the challenge that a client sends first and the verifier that only it can show later.
import { createHash, timingSafeEqual } from 'node:crypto'
import { AuthError } from '../errors.ts'

export type ChallengeMethod = 's256' | 'plain'

/** What a client sends with a request whose link it wants to end in a code. */
export interface Challenge {
  readonly challenge: string
  readonly method: ChallengeMethod
}

const SHORTEST = 43
const LONGEST = 128

/**
 * The challenge of a request; none for the implicit flow.
 * @throws 400 `validation_failed` for half a challenge or one that RFC 7636 does not allow
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
  const known = method.toLowerCase()
  if (known !== 's256' && known !== 'plain') {
    throw invalid(`unsupported code_challenge method ${JSON.stringify(method)}`)
  }
  return { challenge, method: known }
}

/** @throws 400 `bad_code_verifier` when the verifier is not the one that the challenge was made from */
export function checkVerifier({ challenge, method }: Challenge, verifier: string): void {
  const shown = method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
  // Compared as hashes, which are of one length.
  const [one, other] = [challenge, shown].map(text => createHash('sha256').update(text).digest())
  if (!one || !other || !timingSafeEqual(one, other)) {
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
