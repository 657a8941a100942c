// Loads modules named on the command line.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { reasonOf, UsageError } from './command.ts'

type Exports = Readonly<Record<string, unknown>>

/** @throws UsageError with the flag, if the module cannot be loaded */
export async function loadModule(flag: string, file: string): Promise<Exports> {
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as Exports
  } catch (error) {
    throw new UsageError(`${flag} ${file} can't be loaded: ${whyNot(error)}`)
  }
}

/** The stack of a syntax error starts with its position: `file:///…/machines.ts:3`. */
function whyNot(error: unknown): string {
  const [place = ''] = error instanceof SyntaxError ? (error.stack ?? '').split('\n') : []
  const [where] = /^file:\/\/.*:\d+$/.exec(place) ?? []
  return `${reasonOf(error)}${where === undefined ? '' : ` (${where})`}`
}

/** Lists the names of a module's exports for a message. */
export const exportedNames = (module: Exports): string => Object.keys(module).join(', ') || 'nothing'
