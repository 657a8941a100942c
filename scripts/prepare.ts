// `npm ci` ends with this: the databases of the demo and of a project are made ahead; the first start only copies one.
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
  // A start makes up for it; an installation must not fail for it.
  console.error(`The databases could not be prepared: ${String(error)}`)
} finally {
  rmSync(project, { recursive: true, force: true })
}
