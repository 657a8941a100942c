// What a command is: a line in a table; its arguments, help and exit codes come from there.
import { describeFlags, readArguments, wrapped, type Flags, type Values } from './flags.ts'
import { complain, reasonOf, UsageError } from './usage.ts'
import { print } from './print.ts'

/** 0: fine. 1: something was found. 2: arguments or a file can't be used. */
export type ExitCode = 0 | 1 | 2

/** Takes its arguments, gives the exit code. */
export type Run = (args: readonly string[]) => Promise<number>

export interface Given<F extends Flags> {
  readonly values: Values<F>
  /** What was given beside the flags. */
  readonly names: readonly string[]
}

interface CommandSpec<F extends Flags> {
  /** How it is called, after `chartroom`. */
  readonly usage: string
  /** What it does, and what its exit codes say. */
  readonly text: string
  readonly flags: F
  /** The fewest and the most names that it takes, and what they are called. */
  readonly takes: readonly [least: number, most: number, what: string]
  /** @throws UsageError for what the table can't say */
  readonly run: (given: Given<F>) => ExitCode | Promise<ExitCode>
  /** What is said when it throws, and the exit code then: the reason and 2 unless told. */
  readonly explain?: (error: unknown) => string
  readonly fails?: 1 | 2
}

/** Makes a command of its line. */
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
        `${usage}\n\`chartroom ${name} --help\` tells more.`,
        spec.explain ?? reasonOf,
        spec.fails ?? 2,
      )
    }
  }
}

/** Wider lines are hard to read. */
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
  throw new UsageError(most === 0 ? `It takes no ${what}: "${names[0]}".` : tooMany)
}
