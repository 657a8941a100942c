// Defines a tool as a table entry, from which its JSON schema and the check of its arguments are derived.
import { nearestName } from '../command.ts'
import { DATA_NOTE, DEFAULT_TOKENS, LEAST_TOKENS, MOST_TOKENS, type Reply } from './output.ts'
import type { Session } from './session.ts'

interface Field {
  readonly type: 'string' | 'integer' | 'boolean'
  readonly about: string
  readonly required?: true
  readonly oneOf?: readonly string[]
  /** A text of JSON; clients that read each argument as JSON pass the value itself. */
  readonly json?: true
}

export type Fields = Readonly<Record<string, Field>>

type ValueOf<F extends Field> = F['type'] extends 'boolean'
  ? boolean
  : F['type'] extends 'integer'
    ? number
    : F extends { readonly oneOf: readonly (infer Choice)[] }
      ? Choice
      : string

/** The given arguments by name. */
export type Args<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends { readonly required: true }
    ? ValueOf<F[Name]>
    : ValueOf<F[Name]> | undefined
}

/** What a running tool has. */
export interface Call {
  readonly session: Session
  readonly signal: AbortSignal
  /** Reports progress of long work: done, of how many. */
  readonly onProgress: (done: number, total?: number) => void
}

export interface Tool<F extends Fields = Fields> {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly fields: F
  /** Changes a running app: only with `--allow-control`. */
  readonly isControl?: true
  /** Writes new files. */
  readonly writes?: true
  /** @throws Error with what failed and the next step */
  readonly run: (args: Args<F>, call: Call) => Promise<Reply>
}

/** Creates a table entry whose `run` has the types of its fields. */
export const defineTool = <const F extends Fields>(tool: Tool<F>): Tool => tool as unknown as Tool

/** Arguments of every tool. */
const PAGING = {
  max_tokens: {
    type: 'integer',
    about: `Bound of the result in tokens, ${LEAST_TOKENS} to ${MOST_TOKENS}; default ${DEFAULT_TOKENS}`,
  },
  cursor: { type: 'string', about: 'From the previous result of the same call, for the next page' },
} as const satisfies Fields

/** The description that clients show to the model. */
export const descriptionOf = ({ about }: Tool): string => `${about} ${DATA_NOTE}`

/** The JSON schema of a tool's arguments. */
export function schemaOf({ fields }: Pick<Tool, 'fields'>): Record<string, unknown> {
  const all = Object.entries<Field>({ ...fields, ...PAGING })
  return {
    type: 'object',
    properties: Object.fromEntries(
      all.map(([name, { type, about, oneOf }]) => [
        name,
        { type, description: about, ...(oneOf && { enum: oneOf }) },
      ]),
    ),
    required: all.flatMap(([name, { required }]) => (required ? [name] : [])),
    additionalProperties: false,
  }
}

/** The checked arguments of a call, with its bounds. */
export interface Checked {
  readonly args: Args<Fields>
  readonly maxTokens: number
  readonly skip: number
}

/** Returns the arguments, or a sentence for each that is wrong. Never throws. */
export function checkArguments(
  { fields }: Pick<Tool, 'fields'>,
  given: unknown,
): Checked | { readonly problems: string[] } {
  const all: Fields = { ...fields, ...PAGING }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { problems: ['The arguments must be an object.'] }
  const values = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      asField(Object.hasOwn(all, name) ? all[name] : undefined, value),
    ]),
  )
  const problems = [
    ...Object.keys(values).flatMap(name => (Object.hasOwn(all, name) ? [] : [unknownArgument(name, all)])),
    ...Object.entries(all).flatMap(([name, field]) => problemOf(name, field, values[name])),
  ]
  if (problems.length > 0) return { problems }
  const { max_tokens: maxTokens = DEFAULT_TOKENS, cursor = '0', ...args } = values
  const [limit, skip] = [maxTokens as number, Number(cursor)]
  if (limit < LEAST_TOKENS || limit > MOST_TOKENS)
    return { problems: [`max_tokens must be from ${LEAST_TOKENS} to ${MOST_TOKENS}.`] }
  if (!/^\d{1,15}$/.test(cursor as string))
    return { problems: ['cursor must be the one that the previous result of this call names.'] }
  return { args: args as Args<Fields>, maxTokens: limit, skip }
}

/** Clients that type the arguments themselves pass `20` for "20", and an object for its JSON. */
function asField(field: Field | undefined, value: unknown): unknown {
  if (field?.json && typeof value === 'object' && value !== null) return JSON.stringify(value)
  if (field?.type === 'string' && typeof value === 'number') return String(value)
  return field?.type === 'integer' && typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
}

function unknownArgument(name: string, all: Fields): string {
  const close = nearestName(name, Object.keys(all))
  const hint = close === undefined ? `It takes ${Object.keys(all).join(', ')}.` : `Did you mean "${close}"?`
  return `There is no argument "${name.slice(0, 40).replaceAll(/[^\w-]/g, '?')}". ${hint}`
}

function problemOf(name: string, { type, required, oneOf, about }: Field, value: unknown): string[] {
  if (value === undefined) return required ? [`${name} is missing: ${about}.`] : []
  const isRight =
    type === 'integer' ? Number.isSafeInteger(value) && (value as number) >= 0 : typeof value === type
  if (!isRight) return [`${name} must be ${type === 'integer' ? 'a whole number, 0 or more' : `a ${type}`}.`]
  if (oneOf && !oneOf.includes(value as string)) return [`${name} must be one of ${oneOf.join(', ')}.`]
  return []
}
