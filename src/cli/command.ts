// Defines a command as a table entry, from which its arguments, help and exit codes are derived.
import { describeFlags, readArguments, wrapped, type Flags, type Values } from './flags.ts'
import { complain, reasonOf, UsageError } from './usage.ts'
import { print } from './print.ts'

/** 0: success. 1: problems found. 2: invalid arguments or unusable file. */
export type ExitCode = 0 | 1 | 2

/** Takes the arguments, resolves to the exit code. */
export type Run = (args: readonly string[]) => Promise<number>

export interface Given<F extends Flags> {
  readonly values: Values<F>
  /** Positional arguments. */
  readonly names: readonly string[]
}

interface CommandSpec<F extends Flags> {
  /** Usage line, after `chartroom`. */
  readonly usage: string
  /** What it does, and the meaning of its exit codes. */
  readonly text: string
  readonly flags: F
  /** The minimum and maximum number of positional arguments, and their name in messages. */
  readonly takes: readonly [least: number, most: number, what: string]
  /** @throws UsageError for errors that the table cannot express */
  readonly run: (given: Given<F>) => ExitCode | Promise<ExitCode>
  /** Formats a thrown error, and its exit code; default to the error's message and 2. */
  readonly explain?: (error: unknown) => string
  readonly fails?: 1 | 2
}

/** Creates a command from its table entry. */
export function defineCommand<const F extends Flags>(spec: CommandSpec<F>): Run {
  const usage = `Usage: chartroom ${spec.usage}`
  const [name] = spec.usage.split(/ (?=[A-Z[])/)
  return async args => {
    try {
      const { values, names, wantsHelp } = readArguments(args, spec.flags)
      if (wantsHelp) {
        print(`${usage}\n\n${help(spec)}\n`)
        return 0
      }
      checkNames(names, spec.takes)
      return await spec.run({ values, names })
    } catch (error) {
      return complain(
        error,
        `${usage}\n\`chartroom ${name} --help\` shows all flags.`,
        spec.explain ?? reasonOf,
        spec.fails ?? 2,
      )
    }
  }
}

/** Longer lines are hard to read. */
const WIDEST = 110

function help({ text, flags }: Pick<CommandSpec<Flags>, 'text' | 'flags'>): string {
  const columns = Math.min(WIDEST, process.stdout.columns ?? WIDEST)
  const paragraphs = text.split('\n\n').map(paragraph => wrapped(paragraph, columns).join('\n'))
  return [...paragraphs, describeFlags(flags, columns)].join('\n\n')
}

function checkNames(names: readonly string[], [least, most, what]: CommandSpec<Flags>['takes']): void {
  if (names.length < least)
    throw new UsageError(names.length === 0 ? `No ${what} was given.` : `One more ${what} is needed.`)
  if (names.length <= most) return
  const tooMany = most === 1 ? `More than one ${what} was given.` : `More than ${most} ${what}s were given.`
  throw new UsageError(most === 0 ? `Unexpected ${what}: "${names[0]}".` : tooMany)
}
