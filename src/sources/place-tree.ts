// The places of everything within the literals of a machine's configuration, found without running the module.
import type { Expression, Node, ObjectExpression } from 'oxc-parser'
import type { PlaceTree } from '../trace/index.ts'

/** Returns what declares a name where the tree begins: a constant's value, or a function. */
export type Resolve = (name: string) => Declared | undefined

export interface Declared {
  readonly at: number
  readonly value: Node
}

/** Keys below which the keys are names of the app, not words of XState. */
const NAMED = new Set(['states', 'on', 'after', 'guards', 'actions', 'actors', 'delays'])

/** Keys whose values have no parts with a position. */
const DATA = new Set(
  (
    'context types schemas meta input output params description id version initial type history target reenter tags ' +
    'systemId'
  ).split(' '),
)

/** Functions that return their argument. */
const TRANSPARENT = new Set(['createStateConfig', 'createAction', 'freeze'])

const DEEPEST = 60

/** Makes the tree of one expression. */
export class TreeBuilder {
  readonly #resolve: Resolve
  readonly #placeOf: (offset: number) => readonly [line: number, column: number]

  constructor(resolve: Resolve, placeOf: (offset: number) => readonly [line: number, column: number]) {
    this.#resolve = resolve
    this.#placeOf = placeOf
  }

  /**
   * Returns the tree of an expression. One that refers to a constant of the module is where that is declared.
   * @param at offset of what names the value
   */
  tree(node: Node, at: number, isNames = false, depth = 0): PlaceTree {
    const value = unwrapped(node)
    const found = depth > DEEPEST ? undefined : this.#referred(value, at)
    if (found) return this.tree(found.value, found.at, isNames, depth + 1)
    const [line, column] = this.#placeOf(at)
    const inside = depth > DEEPEST ? undefined : this.#inside(value, isNames, depth)
    return inside ? [line, column, inside] : [line, column]
  }

  #inside(value: Node, isNames: boolean, depth: number): PlaceTree[2] {
    if (value.type === 'ObjectExpression') return this.#properties(value, isNames, depth)
    if (value.type !== 'ArrayExpression') return undefined
    const items: (PlaceTree | null)[] = []
    for (const item of value.elements) {
      if (item?.type === 'SpreadElement') {
        const inside = this.tree(item.argument, item.start, false, depth + 1)[2]
        // The places of later items are unknown.
        if (!Array.isArray(inside)) break
        items.push(...(inside as readonly PlaceTree[]))
      } else items.push(item && this.tree(item, item.start, false, depth + 1))
    }
    return items
  }

  #properties(value: ObjectExpression, isNames: boolean, depth: number): Readonly<Record<string, PlaceTree>> {
    const all: Record<string, PlaceTree> = {}
    for (const property of value.properties) {
      if (property.type === 'SpreadElement') {
        for (const part of alternatives(property.argument)) {
          const inside = this.tree(part, part.start, isNames, depth + 1)[2]
          if (inside && !Array.isArray(inside)) Object.assign(all, inside)
        }
        continue
      }
      const name = this.#keyOf(property.key, property.computed)
      if (name === undefined || name === '__proto__' || (!isNames && DATA.has(name))) continue
      all[name] = this.tree(property.value, property.start, !isNames && NAMED.has(name), depth + 1)
    }
    return all
  }

  /** The name of a property; undefined if only running code knows it. */
  #keyOf(key: Node, isComputed: boolean): string | undefined {
    if (!isComputed && key.type === 'Identifier') return key.name
    const value = isComputed && key.type === 'Identifier' ? this.#resolve(key.name)?.value : key
    const literal = value && unwrapped(value)
    if (literal?.type === 'TemplateLiteral' && literal.expressions.length === 0)
      return literal.quasis[0]?.value.cooked ?? undefined
    return literal?.type === 'Literal' ? String(literal.value) : undefined
  }

  /**
   * The value of a name, of a property of a name, or of a call of a function of the module. A call is where it is
   * written.
   */
  #referred(value: Node, at: number): Declared | undefined {
    if (value.type === 'Identifier') return this.#resolve(value.name)
    if (value.type === 'CallExpression' && value.callee.type === 'Identifier') {
      const made = this.#resolve(value.callee.name)
      const returned = made && returnedBy(made.value)
      return returned && { at, value: returned }
    }
    if (value.type !== 'MemberExpression' || value.object.type !== 'Identifier') return undefined
    const object = this.#resolve(value.object.name)
    const literal = object && unwrapped(object.value)
    const name = this.#keyOf(value.property, value.computed)
    if (literal?.type !== 'ObjectExpression' || name === undefined) return undefined
    for (const property of literal.properties)
      if (property.type === 'Property' && this.#keyOf(property.key, property.computed) === name)
        return { at: property.start, value: property.value }
    return undefined
  }
}

/** The expression without types, parentheses, and functions that return their argument. */
export function unwrapped(node: Node): Node {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return unwrapped(node.expression)
    case 'CallExpression': {
      const { callee } = node
      const named = callee.type === 'MemberExpression' ? callee.property : callee
      const [first] = node.arguments
      const isTransparent = named.type === 'Identifier' && TRANSPARENT.has(named.name)
      return isTransparent && first && first.type !== 'SpreadElement' ? unwrapped(first) : node
    }
    default:
      return node
  }
}

/** The objects that a spread may insert: `...(isTest && { … })`. */
function alternatives(node: Expression): readonly Node[] {
  const value = unwrapped(node)
  if (value.type === 'LogicalExpression') return [value.right]
  return value.type === 'ConditionalExpression' ? [value.consequent, value.alternate] : [value]
}

/** The expression that a function returns, if there is only one. */
function returnedBy(node: Node): Node | undefined {
  if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement') return node.body
  const isFunction =
    node.type === 'ArrowFunctionExpression' ||
    node.type === 'FunctionExpression' ||
    node.type === 'FunctionDeclaration'
  const returns = (isFunction && node.body?.type === 'BlockStatement' ? node.body.body : []).filter(
    ({ type }) => type === 'ReturnStatement',
  )
  const [only] = returns
  return returns.length === 1 && only?.type === 'ReturnStatement' ? (only.argument ?? undefined) : undefined
}
