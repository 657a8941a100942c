// The options of the Vite plugin, and their check.
import type { RedactionPolicy } from '../trace/index.ts'

/** Options of `chartroomConsole()`. */
export interface ChartroomPluginOptions {
  /** Whether the console is open in a new tab; afterwards the tab remembers its state. Defaults to false. */
  readonly open?: boolean
  /** Whether a button in the corner of the page opens the console too. Defaults to true. */
  readonly button?: boolean
  /** Ids of machines whose actors are not recorded, such as one that processes every mouse move. */
  readonly ignore?: readonly string[]
  /** Names of values that are secrets, and of those that are not, in addition to the built-in rules. */
  readonly redact?: Pick<RedactionPolicy, 'keys' | 'allow'>
}

/** The options with their defaults; plain data, which the page receives as JSON. */
export interface CheckedOptions {
  readonly open: boolean
  readonly button: boolean
  readonly ignore: readonly string[]
  readonly redact?: Pick<RedactionPolicy, 'keys' | 'allow'>
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(name => typeof name === 'string')
const isRules = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([key, names]) => (key === 'keys' || key === 'allow') && isNames(names))

const RULES: Readonly<
  Record<keyof ChartroomPluginOptions, readonly [(value: unknown) => boolean, text: string]>
> = {
  open: [isBoolean, 'true or false'],
  button: [isBoolean, 'true or false'],
  ignore: [isNames, "a list of machine ids, as in ['pointer']"],
  redact: [isRules, "lists of names, as in { keys: ['pin'], allow: ['tokenCount'] }"],
}

/**
 * Returns the options with their defaults.
 * @throws TypeError for an unknown option, or a value of the wrong type
 */
export function checkedOptions(options: ChartroomPluginOptions): CheckedOptions {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    const rule = Object.hasOwn(RULES, name) ? RULES[name as keyof typeof RULES] : undefined
    if (!rule)
      throw new TypeError(
        `chartroomConsole() in vite.config: unknown option "${name}". Use ${Object.keys(RULES).join(', ')}.`,
      )
    const [isValid, text] = rule
    if (!isValid(value))
      throw new TypeError(
        `chartroomConsole() in vite.config: "${name}" must be ${text}, not ${JSON.stringify(value)}.`,
      )
  }
  const { open = false, button = true, ignore = [], redact } = options
  return { open, button, ignore, ...(redact && { redact }) }
}
