// `chartroom reports`: the reports of an app's users, in the app's own project.
import { type Commands, runCommand } from '../program.ts'

const COMMANDS: Commands = {
  init: {
    about: 'write the migration: tables, policies and a bucket',
    load: async () => (await import('./init.ts')).initCommand,
  },
  list: {
    about: 'list failures, with the reports of each',
    load: async () => (await import('./list.ts')).listCommand,
  },
  get: {
    about: 'download the recording of a report',
    load: async () => (await import('./get.ts')).getCommand,
  },
  drive: {
    about: 'run reports against the machines of this build, and say which would still fail',
    load: async () => (await import('./drive.ts')).driveCommand,
  },
  test: {
    about: 'write a report as a Vitest test, minimized',
    load: async () => (await import('./test.ts')).testCommand,
  },
  clean: {
    about: 'remove old reports and their files',
    load: async () => (await import('./clean.ts')).cleanCommand,
  },
}

/** Runs one of the commands; resolves to the exit code. */
export const reportsCommand = (args: readonly string[]): Promise<number> =>
  runCommand(COMMANDS, args, 'reports')
