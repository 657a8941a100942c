// Writes a command's output: completely or not at all, and never over an existing file without --force.
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { reasonOf } from './command.ts'

export const WRITE_FLAGS = {
  force: { type: 'boolean', about: 'Replace the file if it exists' },
} as const

/** The content to write: whole, or piece by piece. */
type Content = string | Uint8Array | Iterable<string>

/**
 * Checks before long work whether its result can be written.
 * @throws Error with a readable message, if the file exists and `replace` is not set
 */
export async function checkNew(file: string, replace: boolean): Promise<void> {
  if (!replace && (await statOf(file))?.isFile())
    throw new Error(`${file} exists. Add --force to replace it.`)
}

/**
 * @throws Error with a readable message, if the file exists and `replace` is not set, or cannot be written
 */
export async function writeNew(file: string, content: Content, replace: boolean): Promise<void> {
  await checkNew(file, replace)
  const stats = await statOf(file)
  // Pipes and devices are written directly, since they cannot be replaced by renaming.
  const isWhole = stats === undefined || stats.isFile()
  await (
    isWhole ? writeWhole(stats ? await realpath(file) : file, content, stats?.mode) : writeFile(file, content)
  ).catch((error: unknown) => {
    if (isOfSystem(error))
      throw new Error(`${file} can't be written: ${writeReason(error)}`, { cause: error })
    throw error
  })
}

/** Writes to a temporary file first, so that an interruption or a failing piece leaves nothing behind;
 * keeps the permissions of a replaced file. */
async function writeWhole(file: string, content: Content, mode = 0o666): Promise<void> {
  const part = `${file}.${process.pid}.part`
  try {
    await writeFile(part, content, { flag: 'wx', mode })
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

const statOf = (file: string) => stat(file).catch(() => undefined)

/** Distinguishes file system errors from those of a piece that fails while being written. */
const isOfSystem = (error: unknown) => error instanceof Error && 'syscall' in error

const writeReason = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
    ? 'its folder does not exist'
    : fileReason(error)

/** Formats why a file could not be read or written. */
export function fileReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'no such file'
  if (code === 'EISDIR') return 'it is a directory'
  if (code === 'EACCES') return 'permission denied'
  if (code === 'EEXIST') return 'it exists'
  return reasonOf(error)
}
