// Setup of tests that run on a PostgreSQL server: as root, the server's own user must reach temporary folders.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Passable, but not readable. */
const PASSABLE = 0o711

const { mkdtempSync } = fs
const { mkdtemp } = fs.promises

const open = (folder: string) => {
  fs.chmodSync(folder, PASSABLE)
  return folder
}

if (process.getuid?.() === 0) {
  Object.assign(fs, { mkdtempSync: (prefix: string) => open(mkdtempSync(prefix)) })
  Object.assign(fs.promises, { mkdtemp: async (prefix: string) => open(await mkdtemp(prefix)) })
  syncBuiltinESMExports()
}
