// Runs the whole product: the embedded backend, with the built app on the same origin.
import type { Backend } from '../backend/index.ts'
import { type AppOptions, serveApp } from '../src/cli/start/serve-app.ts'
import { appDir, ensureApp } from './app-build.ts'

export interface HarbourOptions extends Omit<AppOptions, 'appDir' | 'built'> {
  /** Whether the app is already built. Defaults to false: the app is built if it is stale. */
  readonly isBuilt?: boolean
}

/**
 * Starts the backend and builds the app in parallel if it is stale.
 * @throws Error if the app can't be built or the backend can't start
 */
export const startHarbour = ({ isBuilt = false, ...options }: HarbourOptions): Promise<Backend> =>
  serveApp({ ...options, appDir, build: isBuilt ? Promise.resolve() : ensureApp() })
