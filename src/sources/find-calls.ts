// Finds the calls of XState in a module that make something with a position.
import type { CallExpression, Node, Program } from 'oxc-parser'
import { ScopeTracker, walk } from 'oxc-walker'
import { type Resolve, unwrapped } from './place-tree.ts'

/**
 * `machine`: the call returns a machine. `value`: it returns logic, an action, a guard or a state's configuration.
 * `parts`: its argument has guards, actions, actors and delays.
 */
export type CallKind = 'machine' | 'value' | 'parts'

export interface FoundCall {
  readonly kind: CallKind
  readonly node: CallExpression
  /** What is noted: the call, or its argument. */
  readonly noted: Node
  /** The expression whose parts have positions. */
  readonly literal: Node | undefined
  /** Offset of the position: of a machine, the name of the called function; else the constant that it is assigned to, if any. */
  readonly at: number
  /** Of a machine: the variable that it is assigned to. */
  readonly variable: string | undefined
  /** Resolves the names in the literal. */
  readonly resolve: Resolve
}

const LOGIC = ['fromPromise', 'fromCallback', 'fromObservable', 'fromEventObservable', 'fromTransition']
const FUNCTIONS =
  'assign raise sendTo sendParent forwardTo emit log cancel stopChild stop spawnChild enqueueActions and or not stateIn'

/** What the exports of `xstate` make. */
const KINDS: ReadonlyMap<string, CallKind | 'function'> = new Map([
  ['createMachine', 'machine'],
  ['setup', 'parts'],
  ...LOGIC.map(name => [name, 'value'] as const),
  ...FUNCTIONS.split(' ').map(name => [name, 'function'] as const),
])

/** Methods of a setup or machine, which may come from another module. */
const METHODS: ReadonlyMap<string, CallKind | 'function'> = new Map([
  ['createMachine', 'machine'],
  ['createStateConfig', 'value'],
  ['createAction', 'function'],
  ['extend', 'parts'],
  ['provide', 'parts'],
])

const PARTS = new Set(['guards', 'actions', 'actors', 'delays'])

/** Visits the calls, outer ones first. Names are only resolved during the visit. */
export function findCalls(program: Program, visit: (call: FoundCall) => void): void {
  const scopes = new ScopeTracker({ preserveExitedScopes: true })
  walk(program, { scopeTracker: scopes })
  scopes.freeze()
  const inside: Node[] = []
  const parents: Node[] = []
  walk(program, {
    scopeTracker: scopes,
    enter(node, parent) {
      if (parent) parents.unshift(parent)
      if (node.type !== 'CallExpression') return
      const resolve: Resolve = name => declared(name, scopes)
      const callee = calleeOf(node, scopes, resolve)
      // Functions within a configuration are found by their place in it.
      if (!callee || (callee.kind === 'function' && inside.length > 0)) return
      const { kind } = callee
      const at = parent?.type === 'VariableDeclarator' && kind !== 'machine' ? parent.id.start : callee.at
      const found = toCalls(node, { ...callee, at }, { variable: variableOf(parents), resolve })
      for (const call of found) visit(call)
      if (found.length > 0) inside.push(node)
    },
    leave(node, parent) {
      if (parent) parents.shift()
      if (inside.at(-1) === node) inside.pop()
    },
  })
}

interface Callee {
  readonly kind: CallKind | 'function'
  readonly at: number
  /** Whether it is known to be of XState, not only by the name of a method. */
  readonly isKnown: boolean
}

function toCalls(
  node: CallExpression,
  { kind, at, isKnown }: Callee,
  more: Pick<FoundCall, 'variable' | 'resolve'>,
): FoundCall[] {
  const [first, second] = node.arguments
  const parts = (argument: Node | undefined): FoundCall[] =>
    argument && (isKnown || hasParts(argument, more.resolve))
      ? [{ ...more, kind: 'parts', node, noted: argument, literal: argument, at }]
      : []
  if (first?.type === 'SpreadElement') return []
  if (kind === 'parts') return parts(first)
  if (kind === 'function') return [{ ...more, kind: 'value', node, noted: node, literal: undefined, at }]
  const call: FoundCall = { ...more, kind, node, noted: node, literal: first, at }
  return kind === 'machine' && second?.type !== 'SpreadElement' ? [call, ...parts(second)] : [call]
}

function hasParts(argument: Node, resolve: Resolve): boolean {
  const value = unwrapped(argument)
  const literal = value.type === 'Identifier' ? resolve(value.name)?.value : value
  if (literal?.type !== 'ObjectExpression') return false
  return literal.properties.some(
    property =>
      property.type === 'Property' && property.key.type === 'Identifier' && PARTS.has(property.key.name),
  )
}

/** What a call calls, if that is of XState. */
function calleeOf({ callee }: CallExpression, scopes: ScopeTracker, resolve: Resolve): Callee | undefined {
  const at = callee.start
  if (callee.type === 'Identifier') {
    const name = importedName(callee.name, scopes)
    const kind = name === undefined ? undefined : KINDS.get(name)
    return kind && { kind, at, isKnown: true }
  }
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
    return undefined
  const { object, property } = callee
  if (object.type === 'Identifier' && importedName(object.name, scopes) === '*') {
    const kind = KINDS.get(property.name)
    return kind && { kind, at: property.start, isKnown: true }
  }
  const isKnown = isSetup(object, scopes, resolve)
  const kind = METHODS.get(property.name) ?? (isKnown ? KINDS.get(property.name) : undefined)
  return kind && { kind, at: property.start, isKnown }
}

/** Whether an expression is the result of `setup`, or an extension of it. */
function isSetup(node: Node, scopes: ScopeTracker, resolve: Resolve, depth = 0): boolean {
  if (depth > 20) return false
  const value = unwrapped(node)
  if (value.type === 'Identifier') {
    const declared = resolve(value.name)
    return declared !== undefined && isSetup(declared.value, scopes, resolve, depth + 1)
  }
  if (value.type !== 'CallExpression') return false
  const { callee } = value
  if (callee.type === 'Identifier') return importedName(callee.name, scopes) === 'setup'
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false
  const { object, property } = callee
  if (property.name === 'extend') return isSetup(object, scopes, resolve, depth + 1)
  return (
    property.name === 'setup' && object.type === 'Identifier' && importedName(object.name, scopes) === '*'
  )
}

const isXState = (specifier: unknown): boolean =>
  specifier === 'xstate' || (typeof specifier === 'string' && specifier.startsWith('xstate/'))

/** The name of the export of `xstate` that a local name refers to; `*` for the whole module. */
function importedName(local: string, scopes: ScopeTracker): string | undefined {
  const declaration = scopes.getDeclaration(local)
  if (declaration?.type === 'Import') {
    const { node, importNode } = declaration
    if (!isXState(importNode.source.value)) return undefined
    if (node.type !== 'ImportSpecifier') return '*'
    return node.imported.type === 'Identifier' ? node.imported.name : node.imported.value
  }
  if (declaration?.type !== 'Variable') return undefined
  for (const { id, init } of declaration.variableNode.declarations) {
    if (!init || !isXState(requiredModule(init))) continue
    if (id.type === 'Identifier' && id.name === local) return '*'
    for (const part of id.type === 'ObjectPattern' ? id.properties : [])
      if (part.type === 'Property' && part.value.type === 'Identifier' && part.value.name === local)
        return part.key.type === 'Identifier' ? part.key.name : undefined
  }
  return undefined
}

/** The module that `require('…')` or `await import('…')` names. */
function requiredModule(init: Node): unknown {
  if (init.type === 'AwaitExpression') return requiredModule(init.argument)
  if (init.type === 'ImportExpression') return literalValue(init.source)
  const isRequire =
    init.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'require'
  return isRequire ? literalValue(init.arguments[0]) : undefined
}

const literalValue = (node: Node | undefined): unknown => (node?.type === 'Literal' ? node.value : undefined)

/** The constant or function that a name refers to where the walk is now. */
function declared(name: string, scopes: ScopeTracker): ReturnType<Resolve> {
  const declaration = scopes.getDeclaration(name)
  if (declaration?.type === 'Function') {
    const { node } = declaration
    return {
      at: node.type === 'ArrowFunctionExpression' ? node.start : (node.id?.start ?? node.start),
      value: node,
    }
  }
  if (declaration?.type !== 'Variable' || declaration.variableNode.kind !== 'const') return undefined
  for (const { id, init } of declaration.variableNode.declarations)
    if (id.type === 'Identifier' && id.name === name && init) return { at: id.start, value: init }
  return undefined
}

/** The variable that an expression is assigned to, also after further calls, as in `createMachine(…).provide(…)`. */
function variableOf(parents: readonly Node[]): string | undefined {
  for (const parent of parents) {
    if (parent.type === 'VariableDeclarator')
      return parent.id.type === 'Identifier' ? parent.id.name : undefined
    if (parent.type === 'ExportDefaultDeclaration') return 'default'
    const goesOn =
      parent.type === 'MemberExpression' ||
      parent.type === 'CallExpression' ||
      parent.type.startsWith('TS') ||
      parent.type === 'ParenthesizedExpression'
    if (!goesOn) return undefined
  }
  return undefined
}
