// Parses and documents a command's flags from a table, and suggests the nearest name for an unknown one.
import { parseArgs } from 'node:util'
import { nearest } from './nearest.ts'
import { UsageError } from './usage.ts'

export interface Flag {
  readonly type: 'boolean' | 'string'
  /** Placeholder for the value in the help, e.g. `FILE`. */
  readonly value?: string
  readonly about: string
  /** Can be repeated. */
  readonly many?: true
  /** The allowed values. */
  readonly oneOf?: readonly string[]
}

export type Flags = Readonly<Record<string, Flag>>

/** The given values by flag name. */
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

const HELP: Flag = { type: 'boolean', about: 'Show this help' }

/** @throws UsageError with the flag and the fix */
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
      throw new UsageError(`${rawName} can only be given once.`)
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
    `Unknown flag "${rawName}".${close === undefined ? '' : ` Did you mean "--${close}"?`}`,
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

/** Formats `"a", "b" or "c"`. */
const listed = (choices: readonly string[]) =>
  choices
    .map(choice => `"${choice}"`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')

/** Formats the flags as lines of a help text of limited width. */
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

/** Wraps a paragraph to a maximum line length at word boundaries. */
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
