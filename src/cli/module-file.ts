// Modules that are named on the command line.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { reasonOf, UsageError } from './usage.ts'

export type Exports = Readonly<Record<string, unknown>>

/** @throws UsageError naming the flag, when the module can't be loaded */
export async function loadModule(flag: string, file: string): Promise<Exports> {
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as Exports
  } catch (error) {
    throw new UsageError(`${flag} ${file} can't be loaded: ${whyNot(error)}`)
  }
}

/** A mistake of syntax says where, in the first line of its stack: `file:///…/machines.ts:3`. */
function whyNot(error: unknown): string {
  const [place = ''] = error instanceof SyntaxError ? (error.stack ?? '').split('\n') : []
  const [where] = /^file:\/\/.*:\d+$/.exec(place) ?? []
  return `${reasonOf(error)}${where === undefined ? '' : ` (${where})`}`
}

/** The names of what it exports, for people. */
export const exportedNames = (module: Exports): string => Object.keys(module).join(', ') || 'nothing'
