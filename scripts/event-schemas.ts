// Payload schemas of the client's own events, derived from their types; the forms for sending events are
// built from them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isTypeAliasDeclaration } from 'typescript/unstable/ast/is'
import { API, type Checker, type Type } from 'typescript/unstable/sync'
import { machineChart } from '../src/services/runtime/machine-chart.ts'
import type { PayloadSchema } from '../src/trace/format/chart.ts'
import { type EventsOf, recordedSpecs } from '../src/machines/specs.ts'
import { root } from './tool.ts'

const TYPES = join(root, 'src/machines/specs.ts')
/** A project of only the machines: the whole one takes ten times as long. */
const PROJECT = join(root, 'node_modules/.cache/chartroom/machines/tsconfig.json')
/** Deeper values are edited as JSON. */
const DEEPEST = 4

/** Values of `TypeFlags` and `SymbolFlags`; the compiler does not export its enums. */
const FLAG = {
  anything: 3,
  undefined: 4,
  null: 8,
  string: 32 | 4_194_304,
  number: 64,
  boolean: 256,
  literal: 1024 | 2048 | 8192,
  object: 1_048_576 | 268_435_456,
  optional: 16_777_216,
} as const

/** The file's text: one event per line, so that a diff shows which event changed. */
export function schemasText(): string {
  mkdirSync(dirname(PROJECT), { recursive: true })
  writeFileSync(
    PROJECT,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      include: [],
      files: [TYPES],
      compilerOptions: { types: [] },
    }),
  )
  const api = new API({ cwd: root })
  try {
    const [project] = api.updateSnapshot({ openProjects: [PROJECT] }).getProjects()
    const file = project?.program.getSourceFile(TYPES)
    const declared = file?.statements
      .filter(isTypeAliasDeclaration)
      .find(({ name }) => name.text === 'EventsOf')
    const symbol = declared && project?.checker.getSymbolAtLocation(declared.name)
    if (!project || !symbol) throw new Error(`${TYPES} has no declarations`)
    return textOf(project.checker, project.checker.getDeclaredTypeOfSymbol(symbol))
  } finally {
    api.close()
  }
}

function textOf(checker: Checker, all: Type): string {
  const blocks = (Object.keys(recordedSpecs) as (keyof EventsOf)[]).flatMap(id => {
    const { machine } = recordedSpecs[id]
    const property = checker.getPropertyOfType(all, id)
    const union = property && checker.getTypeOfSymbol(property)
    if (!union) return []
    const lines = eventsOf(checker, union).map(
      ([type, schema]) => `${JSON.stringify(type)}:${JSON.stringify(schema)}`,
    )
    return [`${JSON.stringify(`${id}:${machineChart(machine).hash}`)}:{\n${lines.sort().join(',\n')}\n}`]
  })
  return `{\n${blocks.join(',\n')}\n}\n`
}

/** The payload of each event in a union. */
function eventsOf(checker: Checker, union: Type): readonly (readonly [string, PayloadSchema])[] {
  const found = new Map<string, PayloadSchema[]>()
  for (const member of membersOf(union)) {
    const property = checker.getPropertyOfType(member, 'type')
    const type = property && checker.getTypeOfSymbol(property)
    for (const name of type ? membersOf(type) : []) {
      if (!name.isStringLiteralType() || name.value.includes('*')) continue
      found.set(name.value, [...(found.get(name.value) ?? []), objectSchema(checker, member, 0)])
    }
  }
  return [...found].map(([type, [first = {}, ...more]]) => [
    type,
    more.length === 0 ? first : { anyOf: [first, ...more] },
  ])
}

const membersOf = (type: Type): readonly Type[] => (type.isUnionType() ? (type.getTypes() ?? []) : [type])
const has = (type: Type, flags: number): boolean => (type.flags & flags) !== 0

function schemaOf(checker: Checker, type: Type, depth: number): PayloadSchema {
  const members = membersOf(type).filter(member => !has(member, FLAG.undefined))
  const literals = members.flatMap(literalOf)
  if (literals.length === members.length && literals.length > 0) return literalSchema(literals)
  const [only, more] = members
  if (only && more === undefined) return plainSchema(checker, only, depth)
  return { anyOf: members.map(member => plainSchema(checker, member, depth)) }
}

type Literal = string | number | boolean | null

function literalOf(type: Type): readonly Literal[] {
  if (has(type, FLAG.null)) return [null]
  if (has(type, FLAG.boolean)) return [true, false]
  // The compiler identifies true and false by name.
  if (type.isIntrinsicType())
    return type.intrinsicName === 'true' ? [true] : type.intrinsicName === 'false' ? [false] : []
  return type.isLiteralType() && typeof type.value !== 'bigint' ? [type.value] : []
}

function literalSchema(literals: readonly Literal[]): PayloadSchema {
  const all = new Set(literals)
  return all.size === 2 && all.has(true) && all.has(false) ? { type: 'boolean' } : { enum: [...all] }
}

function plainSchema(checker: Checker, type: Type, depth: number): PayloadSchema {
  if (has(type, FLAG.literal | FLAG.null | FLAG.boolean)) return literalSchema(literalOf(type))
  if (has(type, FLAG.string)) return { type: 'string' }
  if (has(type, FLAG.number)) return { type: 'number' }
  if (checker.isArrayType(type)) {
    const [item] = type.isTypeReference() ? checker.getTypeArguments(type) : []
    return { type: 'array', ...(item && depth < DEEPEST && { items: schemaOf(checker, item, depth + 1) }) }
  }
  if (!has(type, FLAG.object)) return {}
  return depth < DEEPEST ? objectSchema(checker, type, depth + 1) : { type: 'object' }
}

function objectSchema(checker: Checker, type: Type, depth: number): PayloadSchema {
  const properties: Record<string, PayloadSchema> = {}
  const required: string[] = []
  for (const property of checker.getPropertiesOfType(type)) {
    const of = checker.getTypeOfSymbol(property)
    if (!of || (depth === 0 && property.name === 'type')) continue
    properties[property.name] = schemaOf(checker, of, depth)
    if ((property.flags & FLAG.optional) === 0) required.push(property.name)
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}
