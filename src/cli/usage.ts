// Shared by the commands: usage errors, number parsing, and confirmation at the terminal.
import { createInterface } from 'node:readline/promises'
import { indented, printError } from './print.ts'

/** Thrown for invalid arguments; the message names the flag and the fix. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new UsageError(`${flag} must be a whole number from ${least} to ${most}, not "${text}".`)
}

/** Asks for confirmation at the terminal; without a terminal, `flag` must have confirmed it. */
export async function confirmed(question: string, flag: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError(`${question} No terminal to confirm this: add ${flag}.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

/** Prints the error and returns the exit code: 2 for invalid arguments, else `code`. */
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

/** Returns the message of a thrown value. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
