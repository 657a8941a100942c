// The command line: `chartroom <command>`; each command is loaded when it is asked for.

/** A command: takes its arguments, gives the exit code. */
type Command = (args: string[]) => number | Promise<number>

const COMMANDS: Readonly<Record<string, { readonly about: string; readonly load: () => Promise<Command> }>> =
  {
    replay: {
      about: 'replay recorded traces and tell whether they come out the same',
      load: async () => (await import('./replay.ts')).replayCommand,
    },
    backend: {
      about: 'run the embedded backend',
      load: async () => (await import('./backend.ts')).backendCommand,
    },
    export: {
      about: "write a backend's data into one file",
      load: async () => (await import('./transfer.ts')).exportCommand,
    },
    import: {
      about: "put an exported file into a backend's data directory",
      load: async () => (await import('./transfer.ts')).importCommand,
    },
  }

function help(): string {
  const lines = Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`)
  return [
    'Usage: chartroom <command> [options]',
    '',
    ...lines,
    '',
    '`chartroom <command> --help` tells more.',
  ].join('\n')
}

async function main([name, ...args]: string[]): Promise<number> {
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(help())
    return 0
  }
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    console.error(
      `${name === undefined ? 'No command was given.' : `There is no command "${name}".`}\n\n${help()}`,
    )
    return 2
  }
  return (await command.load())(args)
}

process.exitCode = await main(process.argv.slice(2))
