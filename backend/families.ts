// Creates the five services and the tools next to them.
import type { BackendOptions } from './index.ts'
import { createAuth, createMailer, authSettings } from './auth/index.ts'
import { systemClock } from './shared/clock.ts'
import type { Secrets } from './shared/data-directory.ts'
import type { Database } from './database/index.ts'
import { createFaults, createShiftableClock, type Faults } from './faults/index.ts'
import { createFunctions, DEMO_FUNCTIONS } from './functions/index.ts'
import { createHealth } from './health.ts'
import { createInboxRoutes, type Inbox } from './inbox/index.ts'
import { isLoopback, LOOPBACK } from './shared/hosts.ts'
import { type Families, createOriginPolicy, parseOrigin } from './gateway/index.ts'
import { createRealtime } from './realtime/index.ts'
import { createRest } from './rest/index.ts'
import { createStorage, type Blobs } from './storage/index.ts'
import { createTokens } from './keys/index.ts'

/** Dependencies that any service may need. */
export interface Parts {
  readonly options: BackendOptions
  readonly url: string
  readonly secrets: Secrets
  readonly blobs: Blobs
  readonly database: Database
  readonly inbox: Inbox
  readonly stopping: AbortSignal
  /** The data directory; absent if the data is in memory. */
  readonly dataDir: string | undefined
}

/** Creates the services; faults can shift their shared clock. */
export async function createFamilies(parts: Parts): Promise<Families & { readonly faults: Faults }> {
  const { options, url, secrets, blobs, database, inbox, stopping, dataDir } = parts
  const clock = createShiftableClock(options.clock ?? systemClock)
  const tokens = await createTokens(secrets, {
    clock,
    ...(options.signingKeys ? { signingKeys: options.signingKeys } : {}),
    needsKey: options.keys !== 'cli',
  })
  const faults = createFaults({ database, tokens, clock, plan: options.faults })
  const isForNetwork = !isLoopback(options.host ?? LOOPBACK)
  const hasStandIn = options.oauthStandIn ?? !isForNetwork
  const auth = { ...options.auth, ...(hasStandIn ? {} : { external: {} }) }
  const settings = authSettings(auth, { url, jwtExpiry: options.accessTokenSeconds })
  const allowed = (options.allowOrigins ?? []).map(parseOrigin)
  return {
    tokens,
    origins: createOriginPolicy([settings.siteUrl, ...settings.redirectUrls, ...allowed]),
    isStandInForNetwork: isForNetwork && hasStandIn,
    auth: createAuth({ database, tokens, settings, clock, mailer: createMailer(inbox, clock), secrets, url }),
    rest: createRest({ database, tokens }),
    storage: createStorage({ database, tokens, blobs, clock }),
    functions: createFunctions({
      tokens,
      secrets,
      url,
      folder: options.functionsDir ?? (options.project === undefined ? DEMO_FUNCTIONS : undefined),
    }),
    realtime: createRealtime({
      database,
      tokens,
      clock,
      settings: options.realtime,
      wrap: faults.wrap,
    }),
    faults,
    health: createHealth(database, dataDir),
    inbox: createInboxRoutes({ inbox, clock, stopping }),
    site: options.site,
  }
}
