// Finds options of a `createClient` call that `createChartroomClient` would refuse.
import type { ObjectExpression } from 'oxc-parser'
import { RULES } from '../services/client/option-rules.ts'

/** Why a client with these options would not start; undefined if nothing is known against them. */
export function refusedOption(options: ObjectExpression, group = ''): string | undefined {
  for (const property of options.properties) {
    // Spread and computed options are only known when the app runs, and are checked then.
    if (property.type !== 'Property' || property.computed) continue
    const { key, value } = property
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''
    const path = group + name
    const rule = Object.hasOwn(RULES, path) ? RULES[path] : undefined
    if (rule === undefined) return `there is no option ${path} in Chartroom`
    const isOff = value.type === 'Literal' && value.value === false
    if (rule.startsWith('!') && !isOff) return `the option ${path} is not supported: ${rule.slice(1)}`
    const isGroup = Object.keys(RULES).some(other => other.startsWith(`${path}.`))
    const found = isGroup && value.type === 'ObjectExpression' ? refusedOption(value, `${path}.`) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
