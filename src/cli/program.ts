// The program: its commands, each loaded on demand. Runs the requested one and ends the process with it.
import { nearestName, type Run } from './command.ts'
import { ownCommandLine } from '../testing/own-program.ts'
import { print, printError } from './print.ts'
import { packageVersion } from './version.ts'

/** A command, or its new name. */
type Entry = { readonly about: string; readonly load: () => Promise<Run> } | { readonly movedTo: string }

export type Commands = Readonly<Record<string, Entry>>

/** The trace commands, as included in the package. */
export const TRACE_COMMANDS: Commands = {
  replay: {
    about: 'replay recorded traces and compare every step',
    load: async () => (await import('./replay.ts')).replayCommand,
  },
  merge: {
    about: 'combine the results of all shards of a replay',
    load: async () => (await import('./merge.ts')).mergeCommand,
  },
  check: {
    about: 'check traces against invariants and assertions',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  diff: {
    about: 'show where two traces diverge',
    load: async () => (await import('./diff.ts')).diffCommand,
  },
  explain: {
    about: 'say in one sentence why something in a trace is so',
    load: async () => (await import('./explain.ts')).explainCommand,
  },
  minimize: {
    about: 'find the fewest inputs with which a trace still fails',
    load: async () => (await import('./minimize.ts')).minimizeCommand,
  },
  coverage: {
    about: 'report which states, transitions and guards traces reach',
    load: async () => (await import('./coverage.ts')).coverageCommand,
  },
  lint: {
    about: 'report what is wrong with machines and their specifications',
    load: async () => (await import('./lint.ts')).lintCommand,
  },
  test: {
    about: 'write a trace as a Vitest test',
    load: async () => (await import('./test.ts')).testCommand,
  },
  info: {
    about: 'summarize a trace',
    load: async () => (await import('./info.ts')).infoCommand,
  },
  redact: {
    about: 'remove additional secrets from a trace',
    load: async () => (await import('./redact.ts')).redactCommand,
  },
  export: {
    about: 'convert a trace to Perfetto, HAR, OTLP, Mermaid, SCXML or a page',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  serve: {
    about: 'serve the console for live XState apps',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  mcp: {
    about: 'serve tools for agents over the Model Context Protocol',
    load: async () => (await import('./mcp.ts')).mcpCommand,
  },
  schema: {
    about: 'write the tables of a backend to a file for the workbench',
    load: async () => (await import('./schema.ts')).schemaCommand,
  },
  access: {
    about: 'review what accounts reach of a backend, and check it in CI',
    load: async () => (await import('./access.ts')).accessCommand,
  },
  migrate: {
    about: "replace supabase-js's createClient in a code base",
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  reports: {
    about: 'list, drive and test the problems that users reported',
    load: async () => (await import('./reports/reports.ts')).reportsCommand,
  },
  import: { movedTo: 'chartroom backend import' },
}

/** Runs the command given by the process arguments, and exits with its code. */
export function runProgram(commands: Commands): void {
  // The reader may close the pipe early, as `head` does.
  process.stdout.on('error', (error: Error) =>
    process.exit('code' in error && error.code === 'EPIPE' ? 0 : 2),
  )
  process.on('uncaughtException', error => {
    printError(`Uncaught error: ${error.stack ?? error.message}\n`)
    process.exit(2)
  })
  process.once('beforeExit', () => {
    printError(
      'The process went idle before the command finished: a module awaits a promise that never settles.\n',
    )
    process.exit(2)
  })
  // Loaded modules may leave timers and connections open, which would keep the process alive.
  void runCommand(commands, process.argv.slice(2)).then(code =>
    process.stdout.write('', () => process.exit(code)),
  )
}

/**
 * Runs the command given by the arguments; resolves to the exit code.
 * @param group name of the command that these are the commands of
 */
export async function runCommand(
  commands: Commands,
  args: readonly string[],
  group?: string,
): Promise<number> {
  const [name, ...rest] = args
  // `chartroom help replay` works like `chartroom replay --help`.
  if (name === 'help' && rest.length > 0) return runCommand(commands, [...rest, '--help'], group)
  if (name === '--help' || name === '-h' || name === 'help') return say(help(commands, group))
  if (group === undefined && (name === '--version' || name === '-v'))
    return say(`chartroom ${packageVersion()}`)
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command && 'load' in command) return (await command.load())(rest)
  printError(`${command ? `"${name}" is now \`${command.movedTo}\`.` : unknown(commands, name, group)}\n`)
  return 2
}

function say(text: string): 0 {
  print(`${text}\n`)
  return 0
}

function unknown(commands: Commands, name: string | undefined, group: string | undefined): string {
  if (name === undefined) return `No command was given.\n\n${help(commands, group)}`
  const isFlag = name.startsWith('-')
  const close = nearestName(name, isFlag ? ['--help', '--version'] : Object.keys(commands))
  const hint = close === undefined ? '' : ` Did you mean "${close}"?`
  return `Unknown ${isFlag ? 'flag' : 'command'} "${name}".${hint}\n\n${help(commands, group)}`
}

function help(commands: Commands, group?: string): string {
  const program = ['chartroom', ...(group === undefined ? [] : [group])].join(' ')
  const lines = Object.entries(commands).flatMap(([name, entry]) =>
    'about' in entry ? [`  ${name.padEnd(10)} ${entry.about}`] : [],
  )
  return [
    `Usage: ${program} <command> [flags]`,
    '',
    ...lines,
    '',
    `Here: ${ownCommandLine(group === undefined ? [] : [group])} <command>`,
    `Run \`${program} <command> --help\` for details${group === undefined ? ', `chartroom --version` for the version' : ''}.`,
  ].join('\n')
}
