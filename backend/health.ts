// Health checks: whether the backend can read and write, and if not, why.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { json } from './shared/errors.ts'
import { DISK_FULL, isDiskFull, unavailable, UnavailableError } from './shared/unavailable.ts'
import type { Database } from './database/index.ts'

/** As much as a small request may write. */
const PROBE = Buffer.alloc(64 * 1024)

/** Returns 200 `{ status: 'ok' }`, or 503 with `status: 'unavailable'` and the reason in `message`. */
export function createHealth(database: Database, dataDir: string | undefined): () => Response {
  return () => {
    const problem = database.outage ?? (dataDir === undefined ? undefined : diskProblem(dataDir))
    return problem === undefined ? json(200, { status: 'ok' }) : unavailable(new UnavailableError(problem))
  }
}

/** Only a write shows whether writing works: file system statistics don't include quotas. */
function diskProblem(dataDir: string): string | undefined {
  const probe = join(dataDir, 'health.probe')
  try {
    writeFileSync(probe, PROBE, { mode: 0o600 })
    return undefined
  } catch (error) {
    return isDiskFull(error) ? DISK_FULL : 'The data directory is not writable.'
  } finally {
    rmSync(probe, { force: true })
  }
}
