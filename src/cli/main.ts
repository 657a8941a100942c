// The command line of the repository: the trace commands, and the embedded backend.
import { runProgram, TRACE_COMMANDS } from './program.ts'

runProgram({
  ...TRACE_COMMANDS,
  backend: {
    about: 'run the embedded backend, or move its data',
    load: async () => (await import('./backend-command.ts')).backendCommand,
  },
})
