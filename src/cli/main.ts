// The command line of the repository: what is done with traces, and the embedded backend.
import { runCommand } from './run.ts'
import { TRACE_COMMANDS } from './trace-commands.ts'

const COMMANDS = {
  ...TRACE_COMMANDS,
  backend: {
    about: 'run the embedded backend, or move its data',
    load: async () => (await import('./backend.ts')).backendCommand,
  },
}

process.exitCode = await runCommand(COMMANDS, process.argv.slice(2))
