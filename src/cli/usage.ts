// What the commands share: arguments that can't be used, numbers, and a question at the terminal.
import { createInterface } from 'node:readline/promises'
import { indented, printError } from './print.ts'

/** Thrown for arguments that cannot be used; the message names the flag and the fix. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new UsageError(`${flag} must be a whole number from ${least} to ${most}, not "${text}".`)
}

/** A yes at the terminal; without a terminal there is nobody to ask, so `flag` must have said it. */
export async function confirmed(question: string, flag: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError(`${question} There is no terminal to answer at: add ${flag}.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

/** Writes what went wrong and gives the exit code: 2 for arguments, else `code`. */
export function complain(
  error: unknown,
  usage: string,
  explain: (error: unknown) => string,
  code: 1 | 2 = 1,
): number {
  const isUsage = error instanceof UsageError
  printError(isUsage ? `${indented(error.message)}\n\n${usage}\n` : `${indented(explain(error))}\n`)
  return isUsage ? 2 : code
}

/** What a thrown value says. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
