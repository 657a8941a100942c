// Writes `DEFAULT` for placeholders in rows to insert or update.
import type { LiteConnection } from '../engine.ts'
import { DEFAULT_MARK } from './body.ts'
import { fieldOf } from '../../shared/fields.ts'

type Plugin = Parameters<LiteConnection['kysely']['withPlugin']>[0]
type Node = ReturnType<Plugin['transformQuery']>

export const defaultsPlugin: Plugin = {
  transformQuery: ({ node }) => writeDefaults(node),
  transformResult: async ({ result }) => result,
}

function writeDefaults(node: Node): Node {
  if (node.kind === 'UpdateQueryNode') return writeUpdates(node)
  if (node.kind !== 'InsertQueryNode' || fieldOf(node.values, 'kind') !== 'ValuesNode') return node
  const lists = fieldOf(node.values, 'values')
  if (!Array.isArray(lists) || !JSON.stringify(lists, plainly).includes(DEFAULT_MARK)) return node
  const values = lists.map((list: unknown) => ({ kind: 'ValueListNode', values: nodesOf(list) }))
  return { ...node, values: Object.assign({}, node.values, { values }) }
}

function writeUpdates(node: Node): Node {
  const updates = fieldOf(node, 'updates')
  if (!Array.isArray(updates)) return node
  const written = updates.map((update: object) => {
    const isDefault = fieldOf(fieldOf(update, 'value'), 'value') === DEFAULT_MARK
    return isDefault ? { ...update, value: { kind: 'DefaultInsertValueNode' } } : update
  })
  return Object.assign({}, node, { updates: written })
}

function nodesOf(list: unknown): unknown[] {
  const values = fieldOf(list, 'values')
  if (!Array.isArray(values)) return []
  const isPrimitive = fieldOf(list, 'kind') === 'PrimitiveValueListNode'
  return values.map((value: unknown) => {
    const plain = isPrimitive ? value : fieldOf(value, 'value')
    if (plain === DEFAULT_MARK) return { kind: 'DefaultInsertValueNode' }
    return isPrimitive ? { kind: 'ValueNode', value } : value
  })
}

function plainly(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
