// Serves the built app and its backend on one origin.
import { basename, resolve } from 'node:path'
import { type Backend, type BackendOptions, startBackend } from '../../../backend/index.ts'
import { buildingPage, isForPage } from './building-page.ts'
import { freePort } from './free-port.ts'
import { createSite, type Site } from './site.ts'

export interface AppOptions extends BackendOptions {
  /** The first port to try; if taken, the next free one is used. 0 means any free port. */
  readonly port: number
  /** The folder of the built app. */
  readonly appDir: string
  /** Resolves once the folder is complete. */
  readonly build?: Promise<unknown>
}

/**
 * Starts the backend while the app is being built; until then, pages say so.
 * @throws Error if the app can't be built or the backend can't start
 */
export async function serveApp({
  appDir,
  build = Promise.resolve(),
  ...options
}: AppOptions): Promise<Backend> {
  const config = async () => {
    const { url, publishableKey: key, accounts, projectFollower } = await backend
    const name = options.project === undefined ? 'harbour' : basename(resolve(options.project))
    return {
      name,
      url,
      key,
      accounts,
      schema: '/_chartroom/schema',
      ...(projectFollower ? { project: '/_chartroom/project' } : {}),
    }
  }
  let isBuilt = false
  const site = build.then(() => {
    isBuilt = true
    return createSite(appDir, config)
  })
  const backend = startOnFreePort(options, async request =>
    !isBuilt && isForPage(request) ? buildingPage() : (await site)(request),
  )
  const [app, started] = await Promise.allSettled([site, backend])
  if (started.status === 'rejected') throw started.reason
  if (app.status === 'fulfilled') return started.value
  await started.value.stop()
  throw app.reason
}

async function startOnFreePort(options: Omit<AppOptions, 'appDir' | 'built'>, site: Site): Promise<Backend> {
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
