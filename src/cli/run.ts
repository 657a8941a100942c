// Finds and runs the requested command; each command loads on demand.
import type { Run } from './command.ts'
import { nearest } from './nearest.ts'
import { print, printError } from './print.ts'
import { readFileSync } from 'node:fs'

/** A command, or its new name. */
export type Entry =
  { readonly about: string; readonly load: () => Promise<Run> } | { readonly movedTo: string }

export type Commands = Readonly<Record<string, Entry>>

/** Runs the command given by the arguments; resolves to the exit code. */
export async function runCommand(commands: Commands, args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  // `chartroom help replay` works like `chartroom replay --help`.
  if (name === 'help' && rest.length > 0) return runCommand(commands, [...rest, '--help'])
  if (name === '--help' || name === '-h' || name === 'help') return say(help(commands))
  if (name === '--version' || name === '-v') return say(`chartroom ${packageVersion()}`)
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command && 'load' in command) return (await command.load())(rest)
  printError(`${command ? `"${name}" is now \`${command.movedTo}\`.` : unknown(commands, name)}\n`)
  return 2
}

function say(text: string): 0 {
  print(`${text}\n`)
  return 0
}

function unknown(commands: Commands, name: string | undefined): string {
  if (name === undefined) return `No command was given.\n\n${help(commands)}`
  const close = nearest(name, Object.keys(commands))
  const hint = close === undefined ? '' : ` Did you mean "${close}"?`
  return `Unknown command "${name}".${hint}\n\n${help(commands)}`
}

function help(commands: Commands): string {
  const lines = Object.entries(commands).flatMap(([name, entry]) =>
    'about' in entry ? [`  ${name.padEnd(10)} ${entry.about}`] : [],
  )
  return [
    'Usage: chartroom <command> [flags]',
    '',
    ...lines,
    '',
    'Run `chartroom <command> --help` for details, `chartroom --version` for the version.',
  ].join('\n')
}

/** Reads package.json: next to this folder in the package, one level up in the repository. */
function packageVersion(): string {
  for (const place of ['../package.json', '../../package.json']) {
    const version = versionIn(new URL(place, import.meta.url))
    if (version !== undefined) return version
  }
  return 'unknown'
}

function versionIn(file: URL): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return name === 'chartroom' && typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}
