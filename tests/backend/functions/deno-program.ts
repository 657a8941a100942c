// A program that behaves like Deno as far as the backend uses it, for tests without a network and a large download.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the program into `folder` and returns its path. */
export function denoProgram(folder: string): string {
  const file = join(folder, 'deno')
  const standIn = join(import.meta.dirname, 'deno-stand-in.ts')
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${standIn}" "$@"\n`)
  chmodSync(file, 0o755)
  return file
}
