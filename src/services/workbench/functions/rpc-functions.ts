// Database functions and their arguments, parsed from the REST root's OpenAPI document.
import { array, fallback, object, optional, safeParse, string, unknown, type InferOutput } from 'valibot'
import { isAnyKeyOf, byName } from '../storage/safe-record.ts'
import { fieldType, formatIn, type Column } from '../table/schema.ts'

export interface RpcFunction {
  readonly name: string
  readonly about: string
  /** Whether it is declared read-only and may be called with GET. */
  readonly isReading: boolean
  /** Its arguments; those with `hasDefault` are optional. */
  readonly args: readonly Column[]
}

const argument = object({
  format: optional(string(), ''),
  type: optional(string()),
  description: optional(string(), ''),
  enum: optional(array(string())),
  default: optional(unknown()),
})

const operation = object({
  summary: optional(string(), ''),
  description: optional(string(), ''),
  parameters: optional(
    array(
      object({
        schema: optional(
          object({
            required: optional(array(string()), []),
            properties: fallback(optional(byName(argument), {}), {}),
          }),
        ),
      }),
    ),
    [],
  ),
})

const document = object({ paths: byName(isAnyKeyOf) })

const toColumn = (name: string, about: InferOutput<typeof argument>, isRequired: boolean): Column => {
  const format = formatIn(about)
  return {
    name,
    type: about.enum === undefined ? fieldType(format) : 'enum',
    format,
    required: false,
    hasDefault: !isRequired,
    isKey: false,
    ...(about.enum === undefined ? {} : { options: about.enum }),
    ...(about.description === '' ? {} : { note: about.description }),
  }
}

/** The functions the caller may call, by name. */
export function parseFunctions(answer: unknown): readonly RpcFunction[] {
  const parsed = safeParse(document, answer)
  if (!parsed.success) return []
  const functions = Object.entries(parsed.output.paths).flatMap(([path, methods]): readonly RpcFunction[] => {
    const name = /^\/rpc\/(.+)$/.exec(path)?.[1]
    const post = safeParse(operation, methods['post'])
    if (name === undefined || !post.success) return []
    const { summary, description, parameters } = post.output
    const { properties = {}, required = [] } = parameters.find(({ schema }) => schema)?.schema ?? {}
    const args = Object.entries(properties).map(([arg, about]) =>
      toColumn(arg, about, required.includes(arg)),
    )
    const about = [summary, description].filter(text => text !== '').join('\n')
    return [{ name, about, isReading: 'get' in methods, args }]
  })
  return functions.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}
