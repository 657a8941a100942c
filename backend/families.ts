// The five endpoint families and what stands beside them, each made from the parts that it needs.
import type { BackendOptions } from './index.ts'
import { createAuth } from './auth/index.ts'
import { createMailer } from './auth/mail/mailer.ts'
import { authSettings } from './auth/settings.ts'
import { systemClock } from './clock.ts'
import type { Secrets } from './data-directory.ts'
import type { Database } from './database/index.ts'
import { createFaults, createShiftableClock, type Faults } from './faults/index.ts'
import { createFunctions } from './functions/index.ts'
import { createInboxRoutes } from './inbox/index.ts'
import type { Inbox } from './inbox/store.ts'
import type { Families } from './gateway/index.ts'
import { createRealtime } from './realtime/index.ts'
import { createRest } from './rest/index.ts'
import { createStorage } from './storage/index.ts'
import type { Blobs } from './storage/blobs.ts'
import { createTokens } from './keys/tokens.ts'

/** What every family may need. */
export interface Parts {
  readonly options: BackendOptions
  readonly url: string
  readonly secrets: Secrets
  readonly blobs: Blobs
  readonly database: Database
  readonly inbox: Inbox
  readonly stopping: AbortSignal
}

/** Makes the families; the clock that they share can be moved by faults. */
export async function createFamilies(parts: Parts): Promise<Families & { readonly faults: Faults }> {
  const { options, url, secrets, blobs, database, inbox, stopping } = parts
  const clock = createShiftableClock(options.clock ?? systemClock)
  const tokens = await createTokens(secrets, {
    clock,
    ...(options.signingKeys ? { signingKeys: options.signingKeys } : {}),
    authNeedsKey: options.keys !== 'cli',
  })
  const faults = createFaults({ database, tokens, clock, plan: options.faults })
  const settings = authSettings(options.auth ?? {}, { url, jwtExpiry: options.accessTokenSeconds })
  return {
    tokens,
    auth: createAuth({ database, tokens, settings, clock, mailer: createMailer(inbox, clock), secrets, url }),
    rest: createRest({ database, tokens }),
    storage: createStorage({ database, tokens, blobs }),
    functions: createFunctions({
      tokens,
      secrets,
      url,
      ...(options.functionsDir ? { folder: options.functionsDir } : {}),
    }),
    realtime: createRealtime({
      database,
      tokens,
      clock,
      settings: options.realtime,
      wrap: faults.wrap,
    }),
    faults,
    inbox: createInboxRoutes({ inbox, clock, stopping }),
    site: options.site,
  }
}
