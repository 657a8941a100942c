// Runs at the end of `npm ci`: prepares what the first start would otherwise wait for, and removes what is never used.
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBackend } from '../backend/index.ts'
import { ensureApp } from './app-build.ts'
import { root } from './tool.ts'

// The next start does instead what fails here: the installation must not fail.
await Promise.all([
  prepareDatabases().catch(report('Could not prepare the databases')),
  ensureApp().catch(report('Could not build the app')),
])
removeHeaders()

/** Stores a database of the demo and one of a project, which starts copy. */
async function prepareDatabases(): Promise<void> {
  const project = mkdtempSync(join(tmpdir(), 'chartroom-prepare-'))
  try {
    mkdirSync(join(project, 'supabase'))
    for (const options of [{}, { project }]) {
      const backend = await startBackend({ data: 'memory', port: 0, ...options })
      await backend.stop()
    }
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

/** The headers for compiling addons are a third of the package with Node's program, and nothing here compiles. */
function removeHeaders(): void {
  for (const folder of globSync('node_modules/node-linux-*/include', { cwd: root }))
    rmSync(join(root, folder), { recursive: true, force: true })
}

function report(what: string): (error: unknown) => void {
  return error => console.error(`${what}: ${String(error)}`)
}
