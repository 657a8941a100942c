// Runs the command process: ends it with the command, and reports why if it can never finish.
import { type Commands, runCommand } from './run.ts'
import { printError } from './print.ts'

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
