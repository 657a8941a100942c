// CSRF tokens: prove that a posted form was served here recently for the same request.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../shared/clock.ts'

export interface FormTokens {
  /** @param address path and query of the page. */
  issue(address: string): string
  accepts(address: string, token: string): boolean
}

const LIFE_MS = 10 * 60_000

export function createFormTokens(clock: Clock): FormTokens {
  const key = randomBytes(32)
  const sign = (address: string, expiresAt: string) =>
    createHmac('sha256', key).update(`${expiresAt} ${address}`).digest()
  return {
    issue(address) {
      const expiresAt = String(clock.now() + LIFE_MS)
      return `${expiresAt}.${sign(address, expiresAt).toString('base64url')}`
    },
    accepts(address, token) {
      const [expiresAt = '', signature = ''] = token.split('.')
      const signatureBytes = Buffer.from(signature, 'base64url')
      const right = sign(address, expiresAt)
      const isOurs = signatureBytes.length === right.length && timingSafeEqual(signatureBytes, right)
      return isOurs && Number(expiresAt) > clock.now()
    },
  }
}
