// Flags of a command as a table: read, explained, and the nearest one named when one is wrong.
import { parseArgs } from 'node:util'
import { nearest } from './nearest.ts'
import { UsageError } from './usage.ts'

export interface Flag {
  readonly type: 'boolean' | 'string'
  /** What stands for its value in the help, e.g. `FILE`. */
  readonly value?: string
  readonly about: string
  /** It may be given several times. */
  readonly many?: true
  /** The values that there are. */
  readonly oneOf?: readonly string[]
}

export type Flags = Readonly<Record<string, Flag>>

/** What was given, by the flag's name. */
export type Values<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends { readonly type: 'boolean' }
    ? boolean
    : F[Name] extends { readonly many: true }
      ? readonly string[]
      : F[Name] extends { readonly oneOf: readonly (infer Choice)[] }
        ? Choice | undefined
        : string | undefined
}

export interface Parsed<F extends Flags> {
  readonly values: Values<F>
  readonly names: readonly string[]
  readonly wantsHelp: boolean
}

const HELP: Flag = { type: 'boolean', about: 'This text' }

/** @throws UsageError naming the flag and the fix */
export function readArguments<F extends Flags>(args: readonly string[], flags: F): Parsed<F> {
  const known: Flags = { ...flags, help: HELP }
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { type }]) => [name, { type, ...(name === 'help' && { short: 'h' }) }]),
  )
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const given = new Map<string, string[]>()
  const names: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') names.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const flag = Object.hasOwn(known, name) ? known[name] : undefined
    if (!flag) throw unknownFlag(rawName, Object.keys(known))
    if (flag.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName} takes no value.`)
    if (flag.type === 'string') checkValue(rawName, flag, value, inlineValue === true)
    if (given.has(name) && !flag.many && flag.type === 'string')
      throw new UsageError(`${rawName} was given twice.`)
    given.set(name, [...(given.get(name) ?? []), value ?? ''])
  }
  const values = Object.entries(flags).map(([name, { type, many }]) => {
    const found = given.get(name)
    return [name, type === 'boolean' ? found !== undefined : many ? (found ?? []) : found?.[0]]
  })
  return { values: Object.fromEntries(values) as Values<F>, names, wantsHelp: given.has('help') }
}

function unknownFlag(rawName: string, known: readonly string[]): UsageError {
  const close = rawName.startsWith('--') ? nearest(rawName.slice(2), known) : undefined
  return new UsageError(
    `There is no flag "${rawName}".${close === undefined ? '' : ` Did you mean "--${close}"?`}`,
  )
}

function checkValue(rawName: string, flag: Flag, value: string | undefined, isInline: boolean): void {
  if (value === undefined || (!isInline && /^-./.test(value)))
    throw new UsageError(`${rawName} needs a value: ${rawName} ${flag.value ?? 'VALUE'}.`)
  if (!flag.oneOf || flag.oneOf.includes(value)) return
  const close = nearest(value, flag.oneOf)
  throw new UsageError(
    `${rawName} must be ${listed(flag.oneOf)}, not "${value}".${close === undefined ? '' : ` Did you mean "${close}"?`}`,
  )
}

/** `"a", "b" or "c"`. */
const listed = (choices: readonly string[]) =>
  choices
    .map(choice => `"${choice}"`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')

/** The flags as lines of a help text that fit in so many columns. */
export function describeFlags(flags: Flags, columns: number): string {
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

/** A paragraph as lines of so many letters at most, where words allow it. */
export function wrapped(text: string, most: number): string[] {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= most) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
