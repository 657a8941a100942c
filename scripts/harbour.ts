// Runs the whole product: the embedded backend, with the built app on the same origin.
import { startBackend, type Backend, type BackendOptions } from '../backend/index.ts'
import type { OnPhase } from '../backend/shared/phases.ts'
import { appDir, ensureApp } from './app-build.ts'
import { freePort } from './port.ts'
import { createSite, type Site } from './site.ts'

export interface HarbourOptions {
  /** The first port to try; if taken, the next free one is used. 0 means any free port. */
  readonly port: number
  readonly data: BackendOptions['data']
  /** Origins whose pages may call the backend, in addition to loopback origins. */
  readonly allowOrigins?: readonly string[]
  /** Lifetime of access tokens in seconds. */
  readonly accessTokenSeconds?: number
  /** Auth settings that differ from the defaults. */
  readonly auth?: NonNullable<BackendOptions['auth']>
  /** Opens the database to drivers. */
  readonly databaseAccess?: NonNullable<BackendOptions['databaseAccess']>
  /** Called for each phase of the start. */
  readonly onPhase?: OnPhase
  /** Whether the app is already built. Defaults to false: the app is built if it is stale. */
  readonly isBuilt?: boolean
  /** Aborts a running build. */
  readonly signal?: AbortSignal
}

/**
 * Starts the backend and builds the app in parallel if it is stale.
 * @throws Error if the app can't be built or the backend can't start
 */
export async function startHarbour({
  isBuilt = false,
  signal,
  ...options
}: HarbourOptions): Promise<Backend> {
  const config = async () => {
    const { url, publishableKey: key, accounts } = await backend
    return { name: 'harbour', url, key, accounts, schema: '/_chartroom/schema' }
  }
  const app = isBuilt ? Promise.resolve() : ensureApp(signal)
  const site = app.then(() => createSite(appDir, config))
  const backend = startOnFreePort(options, async request => (await site)(request))
  const [built, started] = await Promise.allSettled([site, backend])
  if (started.status === 'rejected') throw started.reason
  if (built.status === 'fulfilled') return started.value
  await started.value.stop()
  throw built.reason
}

async function startOnFreePort(
  options: Omit<HarbourOptions, 'isBuilt' | 'signal'>,
  site: Site,
): Promise<Backend> {
  const port = await freePort(options.port)
  try {
    return await startBackend({ ...options, port, site })
  } catch (error) {
    // Another process took the port while the database was opening.
    if (port > 0 && String(error).includes('EADDRINUSE'))
      return startOnFreePort({ ...options, port: port + 1 }, site)
    throw error
  }
}
