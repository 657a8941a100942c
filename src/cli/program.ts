// The process around a command: it ends when the command has ended, and says why when it never can.
import type { Commands } from './run.ts'
import { runCommand } from './run.ts'
import { printError } from './print.ts'

/** Runs what the arguments of the process ask for, and ends the process with the exit code. */
export function runProgram(commands: Commands): void {
  // Whoever reads may have enough before all is written, as `head` has.
  process.stdout.on('error', (error: Error) =>
    process.exit('code' in error && error.code === 'EPIPE' ? 0 : 2),
  )
  process.on('uncaughtException', error => {
    printError(`An error that nobody caught: ${error.stack ?? error.message}\n`)
    process.exit(2)
  })
  process.once('beforeExit', () => {
    printError('Nothing is left to do, and no end was reached: a module waits for what never comes.\n')
    process.exit(2)
  })
  // Modules that are named may leave timers and connections behind, with which the process would never end.
  void runCommand(commands, process.argv.slice(2)).then(code =>
    process.stdout.write('', () => process.exit(code)),
  )
}
