// Finds where one module uses functions that create clients, and what around it can't be migrated.
import type { CallExpression, ImportDeclaration, Node, Program } from 'oxc-parser'
import { isReferenceIdentifier, ScopeTracker, walk } from 'oxc-walker'
import type { SourceModule } from './migrate-source.ts'

/** A package whose functions are replaced. */
export interface Family {
  readonly official: string
  readonly creates: readonly string[]
  readonly ours: string
  /** Our function instead of `createClient`; undefined if ours have the same names, types and results. */
  readonly renamed?: string
}

export const SUPABASE_JS: Family & { readonly renamed: string } = {
  official: '@supabase/supabase-js',
  creates: ['createClient'],
  ours: 'chartroom',
  renamed: 'createChartroomClient',
}

export const SUPABASE_SSR: Family = {
  official: '@supabase/ssr',
  creates: ['createBrowserClient', 'createServerClient'],
  ours: 'chartroom/ssr',
}

/** A place to look at. */
export interface Remark {
  /** Offset in the module. */
  readonly at: number
  /** `left`: not migrated. `note`: migrated, or not concerned, but worth a look. */
  readonly kind: 'left' | 'note'
  readonly text: string
  /** It only matters if the app imports this. */
  readonly ifUsed?: string
}

export interface Migrated {
  /** Number of calls that are ours now. */
  readonly calls: number
  readonly remarks: readonly Remark[]
}

export interface Call {
  /** Which function it calls. */
  readonly create: string
  readonly node: CallExpression
  /** Ancestors, innermost first. */
  readonly parents: readonly Node[]
  /** Name of the innermost function that it is in. */
  readonly inside?: string | undefined
  /** Why it cannot be rewritten, whatever its arguments are. */
  readonly reason?: string
  readonly binding: Binding
}

/** How the module got a function. */
export interface Binding {
  readonly local: string
  readonly kind: 'named' | 'namespace' | 'required'
  /** The import, or the declaration with `require`. */
  readonly statement: Node
  /** The specifier or property. */
  readonly part: Node
}

export interface Uses {
  readonly calls: readonly Call[]
  readonly remarks: readonly Remark[]
  readonly bindings: readonly Binding[]
  /** Uses other than as the called function. */
  readonly otherBindings: ReadonlySet<Binding>
  /** All identifiers of the module. */
  readonly names: ReadonlySet<string>
  /** An existing import of our function under its own name. */
  readonly ours: boolean
}

/** `reexportsOf`: names under which an imported module exports the functions again. */
export function findUses(
  program: Program,
  family: Family,
  reexportsOf: (specifier: string) => readonly string[],
): Uses {
  const { official, creates } = family
  const scopes = new ScopeTracker({ preserveExitedScopes: true })
  const names = new Set<string>()
  const bindings: Binding[] = []
  const remarks: Remark[] = []
  let ours = false
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type') continue
    const source = statement.source.value
    const reexported = source === official ? creates : reexportsOf(source)
    for (const part of statement.specifiers) {
      const local = part.local.name
      const isType = part.type === 'ImportSpecifier' && part.importKind === 'type'
      if (part.type === 'ImportSpecifier' && !isType && reexported.includes(nameIn(part.imported) ?? ''))
        bindings.push({ local, kind: 'named', statement, part })
      if (part.type === 'ImportNamespaceSpecifier' && source === official)
        bindings.push({ local, kind: 'namespace', statement, part })
      if (part.type === 'ImportDefaultSpecifier' && source === official)
        remarks.push(left(part, `${official} has no default export; import ${inBraces(creates)} instead`))
      if (source === family.ours && local === family.renamed) ours = true
    }
  }
  walk(program, {
    scopeTracker: scopes,
    enter(node) {
      if (node.type === 'Identifier') names.add(node.name)
      if (node.type === 'VariableDeclaration') bindings.push(...requiredIn(node, family))
    },
  })
  scopes.freeze()
  const calls: Call[] = []
  const otherBindings = new Set<Binding>()
  const parents: Node[] = []
  walk(program, {
    scopeTracker: scopes,
    enter(node, parent) {
      if (parent) parents.unshift(parent)
      remarks.push(...remarksOn(node, parents, family))
      if (node.type !== 'Identifier' || !isReferenceIdentifier(node, parent)) return
      const binding = bindings.find(({ local }) => local === node.name)
      if (!binding || !refersTo(scopes, binding)) return
      const call = callOf(node, parents, binding, family)
      if (call) calls.push(call)
      else if (!isImportOf(binding, parents)) {
        otherBindings.add(binding)
        const isOther = family.renamed !== undefined && binding.kind !== 'namespace'
        if (isOther && !isTypeUse(parents) && !isReexport(parents))
          remarks.push(left(node, `${node.name} ${USED}; call ${family.renamed} instead`))
      }
    },
    leave(_node, parent) {
      if (parent) parents.shift()
    },
  })
  // What such a module does with the function belongs to the mock.
  const isMock = remarks.some(({ ifUsed }) => ifUsed !== undefined)
  return { calls, remarks: isMock ? remarks.filter(isOfMock) : remarks, bindings, otherBindings, names, ours }
}

const isOfMock = ({ ifUsed, text }: Remark) => ifUsed !== undefined || !text.includes(USED)
const USED = 'is used without being called here'
const left = (node: Node, text: string): Remark => ({ at: node.start, kind: 'left', text })
const inBraces = (names: readonly string[]) => `{ ${names.join(', ')} }`

/** The text of an identifier or string literal. */
const nameIn = (node: Node): string | undefined =>
  node.type === 'Identifier' ? node.name : node.type === 'Literal' ? String(node.value) : undefined

const namedImports = (statement: ImportDeclaration) =>
  statement.specifiers.flatMap(part =>
    part.type === 'ImportSpecifier' ? [{ imported: nameIn(part.imported), local: part.local.name }] : [],
  )

/** Bindings of `const { createClient } = require('@supabase/supabase-js')`. */
function requiredIn(statement: Node, { official, creates, renamed }: Family): Binding[] {
  if (statement.type !== 'VariableDeclaration') return []
  return statement.declarations.flatMap(({ id, init }) => {
    const name = init ? requiredName(init) : undefined
    if (!isText(name, official) || id.type !== 'ObjectPattern') return []
    // Ours are renamed in the statement, which is only written for `require`.
    if (renamed !== undefined && init?.type === 'AwaitExpression') return []
    return id.properties.flatMap((part): Binding[] =>
      part.type === 'Property' && creates.includes(nameIn(part.key) ?? '') && part.value.type === 'Identifier'
        ? [{ local: part.value.name, kind: 'required', statement, part }]
        : [],
    )
  })
}

const isRequire = (node: Node, official: string) =>
  node.type === 'CallExpression' && isText(requiredName(node), official)

/** The literal that names a module, in `require('…')` and `await import('…')`. */
export function requiredName(init: Node): Node | undefined {
  if (init.type === 'AwaitExpression')
    return init.argument.type === 'ImportExpression' ? init.argument.source : undefined
  if (init.type !== 'CallExpression' || init.callee.type !== 'Identifier') return undefined
  return init.callee.name === 'require' ? init.arguments[0] : undefined
}

const isText = (node: Node | undefined, text: string) => node?.type === 'Literal' && node.value === text

/** Whether the name in the current scope is the imported one and not a local variable. */
function refersTo(scopes: ScopeTracker, { local, kind }: Binding): boolean {
  const declaration = scopes.getDeclaration(local)
  return kind === 'required' ? declaration?.type === 'Variable' : declaration?.type === 'Import'
}

/** The call whose callee is this reference, `createClient(…)` or `supabase.createClient(…)`. */
function callOf(node: Node, above: readonly Node[], binding: Binding, { creates }: Family): Call | undefined {
  const [parent] = above
  const member =
    binding.kind === 'namespace' &&
    parent?.type === 'MemberExpression' &&
    parent.object === node &&
    !parent.computed
      ? creates.find(name => name === nameIn(parent.property))
      : undefined
  const isMember = member !== undefined
  const callee = isMember ? parent : binding.kind === 'namespace' ? undefined : node
  const [call, ...parents] = isMember ? above.slice(1) : above
  if (!callee || call?.type !== 'CallExpression' || call.callee !== callee) return undefined
  const create = member ?? importedName(binding)
  const reason = binding.kind === 'required' ? reasonOfRequire(binding, creates) : undefined
  const inside = functionAround(parents)
  return { create, node: call, parents, inside, binding, ...(reason && { reason }) }
}

/** The name of the function where it comes from. */
const importedName = ({ part, local }: Binding): string =>
  (part.type === 'ImportSpecifier' && nameIn(part.imported)) ||
  (part.type === 'Property' && nameIn(part.key)) ||
  local

function reasonOfRequire({ statement }: Binding, creates: readonly string[]): string | undefined {
  if (statement.type !== 'VariableDeclaration') return undefined
  const [declarator, ...moreDeclarators] = statement.declarations
  const parts = declarator?.id.type === 'ObjectPattern' ? declarator.id.properties : []
  const isOurs = (part: Node) => part.type === 'Property' && creates.includes(nameIn(part.key) ?? '')
  return parts.every(isOurs) && moreDeclarators.length === 0
    ? undefined
    : `${creates.join(' and ')} is required together with other names; require it in a separate statement and run this again`
}

export const FUNCTIONS: readonly string[] = [
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]

/** Name of the innermost function around; undefined at the top level. */
function functionAround(parents: readonly Node[]): string | undefined {
  const at = parents.findIndex(({ type }) => FUNCTIONS.includes(type))
  const [inner, outer] = [parents[at], parents[at + 1]]
  if (!inner) return undefined
  if ('id' in inner && inner.id && inner.type === 'FunctionDeclaration') return inner.id.name
  if (outer?.type === 'VariableDeclarator' && outer.id.type === 'Identifier') return outer.id.name
  if (outer?.type === 'MethodDefinition' || outer?.type === 'Property')
    return nameIn(outer.key) ?? 'this function'
  return 'this function'
}

const isImportOf = ({ statement }: Binding, parents: readonly Node[]) => parents.includes(statement)
const isTypeUse = (parents: readonly Node[]) => parents.some(({ type }) => type === 'TSTypeQuery')
const isReexport = ([parent]: readonly Node[]) => parent?.type === 'ExportSpecifier'

/** What imports of related packages need, and exports of functions that keep their names. */
export function remarksOnImports({ body }: Program): Remark[] {
  return body.flatMap(statement => {
    if (statement.type === 'ExportAllDeclaration' && statement.source.value === SUPABASE_SSR.official)
      return [
        left(
          statement,
          `it exports all of @supabase/ssr; export its parts, and the clients of ${SUPABASE_SSR.ours}`,
        ),
      ]
    if (statement.type !== 'ImportDeclaration') return []
    const source = statement.source.value
    if (source.startsWith('@supabase/auth-helpers'))
      return [left(statement, `${source} is deprecated; use ${SUPABASE_SSR.ours} for sessions in cookies`)]
    return source !== SUPABASE_JS.official && /@supabase\/supabase-js(?:@|\/|$)/.test(source)
      ? [left(statement, `"${source}" is not imported from the installed package`)]
      : []
  })
}

/** Remarks on single nodes: dynamic imports, and mocks of the module. */
function remarksOn(
  node: Node,
  [parent, above]: readonly Node[],
  { official, creates, ours, renamed }: Family,
): Remark[] {
  if (node.type === 'ImportExpression' && isText(node.source, official)) {
    const isByName = parent?.type === 'AwaitExpression' && above !== undefined && requiresByName(above)
    return isByName && renamed === undefined
      ? []
      : [left(node, `${official} is imported dynamically; import() "${ours}" instead`)]
  }
  if (isRequire(node, official) && !(parent?.type === 'VariableDeclarator' && requiresByName(parent)))
    return [
      left(
        node,
        `${official} is required as a whole; require ${inBraces(creates)} by name and run this again`,
      ),
    ]
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return []
  const { object, property } = node.callee
  const isMock =
    ['vi', 'jest', 'mock'].includes(nameIn(object) ?? '') &&
    ['mock', 'doMock', 'unstable_mockModule', 'module'].includes(nameIn(property) ?? '')
  const text = `this mocks ${official}; mock "${ours}", or the module that creates the client`
  return isMock && isText(node.arguments[0], official) ? [{ ...left(node, text), ifUsed: ours }] : []
}

const requiresByName = (node: Node) => node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern'

/** Names under which the module exports `createClient` of supabase-js again, and where. */
export function reexportsIn({ program }: SourceModule): { readonly name: string; readonly at: number }[] {
  const locals = new Set<string>()
  const { official, creates } = SUPABASE_JS
  const isCreate = (name: string | undefined) => name !== undefined && creates.includes(name)
  for (const statement of program.body)
    if (statement.type === 'ImportDeclaration' && statement.source.value === official)
      for (const { imported, local } of namedImports(statement)) if (isCreate(imported)) locals.add(local)
  return program.body.flatMap(statement => {
    if (statement.type === 'ExportAllDeclaration')
      return statement.source.value === official && !statement.exported
        ? creates.map(name => ({ name, at: statement.start }))
        : []
    if (statement.type !== 'ExportNamedDeclaration') return []
    const { source } = statement
    if (source && source.value !== official) return []
    return statement.specifiers.flatMap(({ local, exported, start }) => {
      const name = nameIn(local)
      return name !== undefined && (source ? isCreate(name) : locals.has(name))
        ? [{ name: nameIn(exported) ?? '', at: start }]
        : []
    })
  })
}
