// Finds options of a `createClient` call that `createChartroomClient` would refuse.
import type { Expression, ObjectExpression, ObjectProperty } from 'oxc-parser'
import { RULES } from '../services/client/option-rules.ts'

/** Options of @supabase/ssr, which `createBrowserClient` has besides. */
const SSR_OPTIONS: readonly string[] = ['cookies', 'cookieOptions', 'cookieEncoding', 'isSingleton']

/** Why `createBrowserClient` with these options would throw; undefined if nothing is known against them. */
export function refusedSsrOption(options: ObjectExpression): string | undefined {
  return (
    refusedOption(options, '', SSR_OPTIONS) ??
    (encodesTokensOnly(options) ? "cookies.encode: 'tokens-only' is not supported" : undefined)
  )
}

function encodesTokensOnly(options: ObjectExpression): boolean {
  const cookies = valueOf(options, 'cookies')
  const encode = cookies?.type === 'ObjectExpression' ? valueOf(cookies, 'encode') : undefined
  return encode?.type === 'Literal' && encode.value === 'tokens-only'
}

/** The value that is written for an option. */
export function valueOf(options: ObjectExpression, name: string): Expression | undefined {
  for (const property of options.properties)
    if (property.type === 'Property' && !property.computed && nameOf(property) === name) return property.value
  return undefined
}

const nameOf = ({ key }: ObjectProperty) =>
  key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''

/** Why a client with these options would not start; undefined if nothing is known against them. */
export function refusedOption(
  options: ObjectExpression,
  group = '',
  otherNames: readonly string[] = [],
): string | undefined {
  for (const property of options.properties) {
    // Spread and computed options are only known when the app runs, and are checked then.
    if (property.type !== 'Property' || property.computed) continue
    const { value } = property
    const path = group + nameOf(property)
    if (otherNames.includes(path)) continue
    const rule = Object.hasOwn(RULES, path) ? RULES[path] : undefined
    if (rule === undefined) return `there is no option ${path} in Chartroom`
    const isOff = value.type === 'Literal' && value.value === false
    if (rule.startsWith('!') && !isOff) return `the option ${path} is not supported: ${rule.slice(1)}`
    const isGroup = Object.keys(RULES).some(rule => rule.startsWith(`${path}.`))
    const refused =
      isGroup && value.type === 'ObjectExpression' ? refusedOption(value, `${path}.`) : undefined
    if (refused !== undefined) return refused
  }
  return undefined
}
