// Finds where one module uses supabase-js's `createClient`, and what around it can't be migrated.
import type { CallExpression, ImportDeclaration, Node, Program } from 'oxc-parser'
import { isReferenceIdentifier, ScopeTracker, walk } from 'oxc-walker'
import type { SourceModule } from './migrate-source.ts'

const OFFICIAL = '@supabase/supabase-js'
const CREATE = 'createClient'
export const OURS = 'chartroom'
export const CREATE_OURS = 'createChartroomClient'

/** A place to look at. */
export interface Remark {
  /** Offset in the module. */
  readonly at: number
  /** `left`: not migrated. `note`: migrated, or not concerned, but worth a look. */
  readonly kind: 'left' | 'note'
  readonly text: string
}

export interface Call {
  readonly node: CallExpression
  /** Ancestors, innermost first. */
  readonly parents: readonly Node[]
  /** Name of the innermost function that it is in. */
  readonly inside?: string | undefined
  /** Why it cannot be rewritten, whatever its arguments are. */
  readonly reason?: string
  readonly binding: Binding
}

/** How the module got `createClient`. */
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
  readonly others: ReadonlySet<Binding>
  /** All identifiers of the module. */
  readonly names: ReadonlySet<string>
  /** An existing import of `createChartroomClient`. */
  readonly ours: boolean
}

/** `reexportsOf`: names under which an imported module exports `createClient` again. */
export function findUses(program: Program, reexportsOf: (specifier: string) => readonly string[]): Uses {
  const scopes = new ScopeTracker({ preserveExitedScopes: true })
  const names = new Set<string>()
  const bindings: Binding[] = []
  const remarks: Remark[] = []
  let ours = false
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type') continue
    const source = statement.source.value
    const again = source === OFFICIAL ? [CREATE] : reexportsOf(source)
    for (const part of statement.specifiers) {
      const local = part.local.name
      const isType = part.type === 'ImportSpecifier' && part.importKind === 'type'
      if (part.type === 'ImportSpecifier' && !isType && again.includes(nameIn(part.imported) ?? ''))
        bindings.push({ local, kind: 'named', statement, part })
      if (part.type === 'ImportNamespaceSpecifier' && source === OFFICIAL)
        bindings.push({ local, kind: 'namespace', statement, part })
      if (part.type === 'ImportDefaultSpecifier' && source === OFFICIAL)
        remarks.push(left(part, `${OFFICIAL} has no default export; import { ${CREATE} } instead`))
      if (source === OURS && local === CREATE_OURS) ours = true
    }
    remarks.push(...remarksOnImport(statement))
  }
  walk(program, {
    scopeTracker: scopes,
    enter(node) {
      if (node.type === 'Identifier') names.add(node.name)
      if (node.type === 'VariableDeclaration') bindings.push(...requiredIn(node))
    },
  })
  scopes.freeze()
  const calls: Call[] = []
  const others = new Set<Binding>()
  const parents: Node[] = []
  walk(program, {
    scopeTracker: scopes,
    enter(node, parent) {
      if (parent) parents.unshift(parent)
      remarks.push(...remarksOn(node, parent))
      if (node.type !== 'Identifier' || !isReferenceIdentifier(node, parent)) return
      const binding = bindings.find(({ local }) => local === node.name)
      if (!binding || !refersTo(scopes, binding)) return
      const found = callOf(node, parents, binding)
      if (found) calls.push(found)
      else if (!isImportOf(binding, parents)) {
        others.add(binding)
        if (binding.kind !== 'namespace' && !isTypeUse(parents) && !isReexport(parents))
          remarks.push(
            left(node, `${node.name} is used without being called here; call ${CREATE_OURS} instead`),
          )
      }
    },
    leave(_node, parent) {
      if (parent) parents.shift()
    },
  })
  return { calls, remarks, bindings, others, names, ours }
}

const left = (node: Node, text: string): Remark => ({ at: node.start, kind: 'left', text })

/** The text of an identifier or string literal. */
const nameIn = (node: Node): string | undefined =>
  node.type === 'Identifier' ? node.name : node.type === 'Literal' ? String(node.value) : undefined

const namedImports = (statement: ImportDeclaration) =>
  statement.specifiers.flatMap(part =>
    part.type === 'ImportSpecifier' ? [{ imported: nameIn(part.imported), local: part.local.name }] : [],
  )

/** Bindings of `const { createClient } = require('@supabase/supabase-js')`. */
function requiredIn(statement: Node): Binding[] {
  if (statement.type !== 'VariableDeclaration') return []
  return statement.declarations.flatMap(({ id, init }) => {
    if (!init || !isRequire(init) || id.type !== 'ObjectPattern') return []
    return id.properties.flatMap((part): Binding[] =>
      part.type === 'Property' && nameIn(part.key) === CREATE && part.value.type === 'Identifier'
        ? [{ local: part.value.name, kind: 'required', statement, part }]
        : [],
    )
  })
}

const isRequire = (node: Node) =>
  node.type === 'CallExpression' &&
  node.callee.type === 'Identifier' &&
  node.callee.name === 'require' &&
  isText(node.arguments[0], OFFICIAL)

const isText = (node: Node | undefined, text: string) => node?.type === 'Literal' && node.value === text

/** Whether the name in the current scope is the imported one and not a local variable. */
function refersTo(scopes: ScopeTracker, { local, kind }: Binding): boolean {
  const declaration = scopes.getDeclaration(local)
  return kind === 'required' ? declaration?.type === 'Variable' : declaration?.type === 'Import'
}

/** The call whose callee is this reference, `createClient(…)` or `supabase.createClient(…)`. */
function callOf(node: Node, above: readonly Node[], binding: Binding): Call | undefined {
  const [parent] = above
  const isMember =
    binding.kind === 'namespace' &&
    parent?.type === 'MemberExpression' &&
    parent.object === node &&
    !parent.computed &&
    nameIn(parent.property) === CREATE
  const callee = isMember ? parent : binding.kind === 'namespace' ? undefined : node
  const [call, ...parents] = isMember ? above.slice(1) : above
  if (!callee || call?.type !== 'CallExpression' || call.callee !== callee) return undefined
  const reason = binding.kind === 'required' ? reasonOfRequire(binding) : undefined
  return { node: call, parents, inside: functionAround(parents), binding, ...(reason && { reason }) }
}

function reasonOfRequire({ statement, part }: Binding): string | undefined {
  if (statement.type !== 'VariableDeclaration') return undefined
  const [declarator, ...more] = statement.declarations
  const names = declarator?.id.type === 'ObjectPattern' ? declarator.id.properties : []
  return names.length === 1 && names[0] === part && more.length === 0
    ? undefined
    : `${CREATE} is required together with other names; require it in a separate statement and run this again`
}

export const FUNCTIONS: readonly string[] = [
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]

/** Name of the innermost function around; undefined at the top level. */
function functionAround(parents: readonly Node[]): string | undefined {
  const at = parents.findIndex(({ type }) => FUNCTIONS.includes(type))
  const [found, outer] = [parents[at], parents[at + 1]]
  if (!found) return undefined
  if ('id' in found && found.id && found.type === 'FunctionDeclaration') return found.id.name
  if (outer?.type === 'VariableDeclarator' && outer.id.type === 'Identifier') return outer.id.name
  if (outer?.type === 'MethodDefinition' || outer?.type === 'Property')
    return nameIn(outer.key) ?? 'this function'
  return 'this function'
}

const isImportOf = ({ statement }: Binding, parents: readonly Node[]) => parents.includes(statement)
const isTypeUse = (parents: readonly Node[]) => parents.some(({ type }) => type === 'TSTypeQuery')
const isReexport = ([parent]: readonly Node[]) => parent?.type === 'ExportSpecifier'

const SSR_NAMES = ['createBrowserClient', 'createServerClient']

/** What imports of related packages need. */
function remarksOnImport(statement: ImportDeclaration): Remark[] {
  const source = statement.source.value
  if (source === '@supabase/ssr')
    return namedImports(statement).flatMap(({ imported = '' }) =>
      SSR_NAMES.includes(imported)
        ? [left(statement, `${imported} of @supabase/ssr stores the session in cookies; use chartroom/ssr`)]
        : [],
    )
  if (source.startsWith('@supabase/auth-helpers'))
    return [left(statement, `${source} is deprecated; use chartroom/ssr for sessions in cookies`)]
  if (source !== OFFICIAL && /@supabase\/supabase-js(?:@|\/|$)/.test(source))
    return [left(statement, `"${source}" is not imported from the installed package`)]
  return []
}

/** Remarks on single nodes: dynamic imports, and mocks of the module. */
function remarksOn(node: Node, parent: Node | null): Remark[] {
  if (node.type === 'ImportExpression' && isText(node.source, OFFICIAL))
    return [left(node, `${OFFICIAL} is imported dynamically; import() "${OURS}" instead`)]
  if (isRequire(node) && !(parent?.type === 'VariableDeclarator' && requiresByName(parent)))
    return [
      left(node, `${OFFICIAL} is required as a whole; require { ${CREATE} } by name and run this again`),
    ]
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return []
  const { object, property } = node.callee
  const isMock =
    ['vi', 'jest', 'mock'].includes(nameIn(object) ?? '') &&
    ['mock', 'doMock', 'unstable_mockModule', 'module'].includes(nameIn(property) ?? '')
  return isMock && isText(node.arguments[0], OFFICIAL)
    ? [left(node, `this mocks ${OFFICIAL}; mock "${OURS}", or the module that creates the client`)]
    : []
}

const requiresByName = (node: Node) => node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern'

/** Names under which the module exports `createClient` of supabase-js again, and where. */
export function reexportsIn({ program }: SourceModule): { readonly name: string; readonly at: number }[] {
  const locals = new Set<string>()
  for (const statement of program.body)
    if (statement.type === 'ImportDeclaration' && statement.source.value === OFFICIAL)
      for (const { imported, local } of namedImports(statement)) if (imported === CREATE) locals.add(local)
  return program.body.flatMap(statement => {
    if (statement.type === 'ExportAllDeclaration')
      return statement.source.value === OFFICIAL && !statement.exported
        ? [{ name: CREATE, at: statement.start }]
        : []
    if (statement.type !== 'ExportNamedDeclaration') return []
    const { source } = statement
    if (source && source.value !== OFFICIAL) return []
    return statement.specifiers.flatMap(({ local, exported, start }) => {
      const name = nameIn(local)
      return name !== undefined && (source ? name === CREATE : locals.has(name))
        ? [{ name: nameIn(exported) ?? '', at: start }]
        : []
    })
  })
}
