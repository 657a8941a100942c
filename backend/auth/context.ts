// The context that every part of the auth service receives.
import type { Clock } from '../shared/clock.ts'
import type { Secrets } from '../shared/data-directory.ts'
import type { Database } from '../database/index.ts'
import type { Tokens } from '../keys/index.ts'
import type { Hooks } from './hooks/hooks.ts'
import type { RateLimits } from './limits.ts'
import type { Mailer } from './mail/mailer.ts'
import type { AuthSettings } from './settings.ts'
import type { WrongCodes } from './verify/wrong-codes.ts'

export interface AuthContext {
  readonly database: Database
  readonly tokens: Tokens
  readonly settings: AuthSettings
  readonly clock: Clock
  readonly mailer: Mailer
  readonly limits: RateLimits
  readonly hooks: Hooks
  readonly wrongCodes: WrongCodes
  readonly secrets: Secrets
  /** Origin of the backend. */
  readonly url: string
}

/** The issuer of access tokens. */
export function issuerOf({ url }: Pick<AuthContext, 'url'>): string {
  return `${url}/auth/v1`
}
