// Runs at the end of `npm ci`: prepares the databases of the demo and of a project, so that the first start
// only copies one.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBackend } from '../backend/index.ts'

const project = mkdtempSync(join(tmpdir(), 'chartroom-prepare-'))
try {
  mkdirSync(join(project, 'supabase'))
  for (const options of [{}, { project }]) {
    const backend = await startBackend({ data: 'memory', port: 0, ...options })
    await backend.stop()
  }
} catch (error) {
  // The next start prepares them instead; the installation must not fail.
  console.error(`Could not prepare the databases: ${String(error)}`)
} finally {
  rmSync(project, { recursive: true, force: true })
}
