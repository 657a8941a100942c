// Defines a command as a table entry, from which its arguments, help, suggestions for misspelled names and
// exit codes are derived.
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { editDistance } from '../trace/index.ts'
import { indented, print, printError } from './print.ts'

/** Thrown for invalid arguments; the message names the flag and the fix. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Returns the message of a thrown value. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** 0: success. 1: problems found. 2: invalid arguments or unusable file. */
export type ExitCode = 0 | 1 | 2

/** Takes the arguments, resolves to the exit code. */
export type Run = (args: readonly string[]) => Promise<number>

interface Flag {
  readonly type: 'boolean' | 'string'
  /** Placeholder for the value in the help, e.g. `FILE`. */
  readonly value?: string
  readonly about: string
  /** Can be repeated. */
  readonly isRepeatable?: true
  /** The allowed values. */
  readonly oneOf?: readonly string[]
}

export type Flags = Readonly<Record<string, Flag>>

/** The given values by flag name. */
export type Values<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends { readonly type: 'boolean' }
    ? boolean
    : F[Name] extends { readonly isRepeatable: true }
      ? readonly string[]
      : F[Name] extends { readonly oneOf: readonly (infer Choice)[] }
        ? Choice | undefined
        : string | undefined
}

export interface ParsedFlags<F extends Flags> {
  readonly values: Values<F>
  /** Positional arguments. */
  readonly names: readonly string[]
}

interface CommandSpec<F extends Flags> {
  /** What starts the program; defaults to `chartroom`. */
  readonly program?: string
  /** Usage line, after the program. */
  readonly usage: string
  /** What it does, and the meaning of its exit codes. */
  readonly text: string
  readonly flags: F
  /** The minimum and maximum number of positional arguments, and their name in messages. */
  readonly takes: readonly [least: number, most: number, what: string]
  /** @throws UsageError for errors that the table cannot express */
  readonly run: (parsed: ParsedFlags<F>) => ExitCode | Promise<ExitCode>
  /** Formats a thrown error, and its exit code; default to the error's message and 2. */
  readonly explain?: (error: unknown) => string
  readonly fails?: 1 | 2
}

/** Creates a command from its table entry. */
export function defineCommand<const F extends Flags>(spec: CommandSpec<F>): Run {
  const { program = 'chartroom' } = spec
  const usage = `Usage: ${program} ${spec.usage}`
  // Without the arguments, and the flags of a program that is one command.
  const [name] = spec.usage.startsWith('[') ? [program] : `${program} ${spec.usage}`.split(/ (?=[A-Z[]|--)/)
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
        `${usage}\n\`${name} --help\` shows all flags.`,
        spec.explain ?? reasonOf,
        spec.fails ?? 2,
      )
    }
  }
}

/** Prints the error and returns the exit code: 2 for invalid arguments, else `code`. */
function complain(error: unknown, usage: string, explain: (error: unknown) => string, code: 1 | 2): number {
  const isUsage = error instanceof UsageError
  printError(isUsage ? `${indented(error.message)}\n\n${usage}\n` : `${indented(explain(error))}\n`)
  return isUsage ? 2 : code
}

/** Longer lines are hard to read. */
const WIDEST = 110

function help({ text, flags }: Pick<CommandSpec<Flags>, 'text' | 'flags'>): string {
  const columns = Math.min(WIDEST, process.stdout.columns ?? WIDEST)
  const paragraphs = text.split('\n\n').map(paragraph => wrapped(paragraph, columns).join('\n'))
  return [...paragraphs, describeFlags(flags, columns)].join('\n\n')
}

function checkNames(names: readonly string[], [min, max, what]: CommandSpec<Flags>['takes']): void {
  if (names.length < min)
    throw new UsageError(names.length === 0 ? `No ${what} was given.` : `One more ${what} is needed.`)
  if (names.length <= max) return
  const tooMany = max === 1 ? `More than one ${what} was given.` : `More than ${max} ${what}s were given.`
  throw new UsageError(max === 0 ? `Unexpected ${what}: "${names[0]}".` : tooMany)
}

interface Parsed<F extends Flags> {
  readonly values: Values<F>
  readonly names: readonly string[]
  readonly wantsHelp: boolean
}

const HELP: Flag = { type: 'boolean', about: 'Show this help' }

/** @throws UsageError with the flag and the fix */
export function readArguments<F extends Flags>(args: readonly string[], flags: F): Parsed<F> {
  const allFlags: Flags = { ...flags, help: HELP }
  const options = Object.fromEntries(
    Object.entries(allFlags).map(([name, { type }]) => [
      name,
      { type, ...(name === 'help' && { short: 'h' }) },
    ]),
  )
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const rawValues = new Map<string, string[]>()
  const names: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') names.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const flag = Object.hasOwn(allFlags, name) ? allFlags[name] : undefined
    if (!flag) throw unknownFlag(rawName, Object.keys(allFlags))
    if (flag.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName} takes no value.`)
    if (flag.type === 'string') checkValue(rawName, flag, value, inlineValue === true)
    if (rawValues.has(name) && !flag.isRepeatable && flag.type === 'string')
      throw new UsageError(`${rawName} can only be given once.`)
    rawValues.set(name, [...(rawValues.get(name) ?? []), value ?? ''])
  }
  const values = Object.entries(flags).map(([name, { type, isRepeatable }]) => {
    const flagValues = rawValues.get(name)
    return [
      name,
      type === 'boolean' ? flagValues !== undefined : isRepeatable ? (flagValues ?? []) : flagValues?.[0],
    ]
  })
  return { values: Object.fromEntries(values) as Values<F>, names, wantsHelp: rawValues.has('help') }
}

function unknownFlag(rawName: string, knownFlags: readonly string[]): UsageError {
  const close = rawName.startsWith('--') ? nearestName(rawName.slice(2), knownFlags) : undefined
  return new UsageError(
    `Unknown flag "${rawName}".${close === undefined ? '' : ` Did you mean "--${close}"?`}`,
  )
}

function checkValue(rawName: string, flag: Flag, value: string | undefined, isInline: boolean): void {
  if (value === undefined || (!isInline && /^-./.test(value)))
    throw new UsageError(`${rawName} needs a value: ${rawName} ${flag.value ?? 'VALUE'}.`)
  if (!flag.oneOf || flag.oneOf.includes(value)) return
  const close = nearestName(value, flag.oneOf)
  throw new UsageError(
    `${rawName} must be ${listed(flag.oneOf)}, not "${value}".${close === undefined ? '' : ` Did you mean "${close}"?`}`,
  )
}

/** Formats `"a", "b" or "c"`. */
const listed = (choices: readonly string[]) =>
  choices
    .map(choice => `"${choice}"`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')

/** Formats the flags as lines of a help text of limited width. */
function describeFlags(flags: Flags, columns: number): string {
  const rows = Object.entries({ ...flags, help: HELP }).map(([name, { value, about }]) => ({
    left: `--${name}${value === undefined ? '' : ` ${value}`}`,
    about,
  }))
  const width = Math.max(...rows.map(({ left }) => left.length))
  const room = Math.max(30, columns - width - 4)
  const lines = rows.flatMap(({ left, about }) =>
    wrapped(about, room).map((line, at) => `  ${(at === 0 ? left : '').padEnd(width)}  ${line}`),
  )
  return lines.join('\n')
}

/** Wraps a paragraph to a maximum line length at word boundaries. */
function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Returns the known name with the fewest differences, if there are few; the first of several. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const allowed = Math.max(1, Math.floor(text.length / 3))
  let bestMatch: { readonly name: string; readonly steps: number } | undefined
  for (const name of names) {
    const isBeginning = text.length >= 2 && name.startsWith(text)
    const steps = isBeginning ? 1 : editDistance(text, name)
    if (steps <= allowed && steps < (bestMatch?.steps ?? Infinity)) bestMatch = { name, steps }
  }
  return bestMatch?.name
}

/** @throws UsageError if the text is no whole number within the limits */
export function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new UsageError(`${flag} must be a whole number from ${min} to ${max}, not "${text}".`)
}

/** Asks for confirmation at the terminal; without a terminal, `flag` must have confirmed it. */
export async function confirmed(question: string, flag: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError(`${question} No terminal to confirm this: add ${flag}.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}
