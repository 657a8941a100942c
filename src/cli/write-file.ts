// Writing what a command made: to a new file, or to the standard output.
import { writeFile } from 'node:fs/promises'
import { fileReason } from './trace-files.ts'

export const WRITE_FLAGS = {
  force: { type: 'boolean', about: 'Replace the file if it exists' },
} as const

/** What is written: whole, or piece by piece. */
export type Content = string | Uint8Array | Iterable<string>

/** @throws Error in words, when the file exists and `replace` is not set, or can't be written */
export async function writeNew(file: string, content: Content, replace: boolean): Promise<void> {
  try {
    await writeFile(file, content, { flag: replace ? 'w' : 'wx' })
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (isThere) throw new Error(`${file} exists. Add --force to replace it.`, { cause: error })
    throw new Error(`${file} can't be written: ${fileReason(error)}`, { cause: error })
  }
}
