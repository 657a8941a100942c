// Writing what a command made: whole or not at all, and over nothing that is there unless told.
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { fileReason } from './trace-files.ts'

export const WRITE_FLAGS = {
  force: { type: 'boolean', about: 'Replace the file if it exists' },
} as const

/** What is written: whole, or piece by piece. */
export type Content = string | Uint8Array | Iterable<string>

/**
 * Looks before long work whether its outcome can be written then.
 * @throws Error in words, when the file exists and `replace` is not set
 */
export async function checkNew(file: string, replace: boolean): Promise<void> {
  if (!replace && (await statOf(file))?.isFile())
    throw new Error(`${file} exists. Add --force to replace it.`)
}

/** @throws Error in words, when the file exists and `replace` is not set, or can't be written */
export async function writeNew(file: string, content: Content, replace: boolean): Promise<void> {
  await checkNew(file, replace)
  const there = await statOf(file)
  // A pipe or a device takes what comes, and has no place beside it.
  const isWhole = there === undefined || there.isFile()
  await (isWhole ? writeWhole(there ? await realpath(file) : file, content) : writeFile(file, content)).catch(
    (error: unknown) => {
      if (isOfSystem(error)) throw new Error(`${file} can't be written: ${reasonOf(error)}`, { cause: error })
      throw error
    },
  )
}

/** Beside its place first: whoever is interrupted, or finds in the midst that it can't be made, leaves nothing. */
async function writeWhole(file: string, content: Content): Promise<void> {
  const part = `${file}.${process.pid}.part`
  try {
    await writeFile(part, content, { flag: 'wx' })
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

const statOf = (file: string) => stat(file).catch(() => undefined)

/** Also a piece that can't be made throws while it is written. */
const isOfSystem = (error: unknown) => error instanceof Error && 'syscall' in error

const reasonOf = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
    ? 'its folder is not there'
    : fileReason(error)
