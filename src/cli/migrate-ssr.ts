// Moves the clients of @supabase/ssr in one module to `chartroom/ssr`, whose functions have the same names,
// types and results, so that mostly the import alone changes.
import type { MagicString } from 'magic-string'
import type { Node, Program } from 'oxc-parser'
import { ModuleEdit } from './migrate-edit.ts'
import { refusedSsrOption, valueOf } from './migrate-options.ts'
import { adminNote, isAdmin } from './migrate-server.ts'
import type { SourceModule } from './migrate-source.ts'
import {
  type Binding,
  type Call,
  findUses,
  type Migrated,
  type Remark,
  requiredName,
  SUPABASE_SSR,
  type Uses,
} from './migrate-uses.ts'

/** Rewrites the module's part of `out`, whose text is that of the file. */
export function migrateSsr(module: SourceModule, out: MagicString): Migrated {
  const uses = findUses(module.program, SUPABASE_SSR, () => [])
  const edit = new ModuleEdit(module, out)
  const remarks: Remark[] = [...uses.remarks, ...moveExports(module, edit)]
  const staying = new Set<Call>()
  for (const call of uses.calls) {
    const remark = remarkOn(call, module.program)
    if (!remark) continue
    remarks.push(remark)
    if (remark.kind === 'left' || isAdmin(call.node, module.program)) staying.add(call)
  }
  moveImports(uses, staying, edit)
  moveRequires(uses, staying, edit)
  for (const call of uses.calls) if (!staying.has(call)) edit.twoTypes(call)
  return { calls: uses.calls.length - staying.size, remarks }
}

/** What to say about a call: why it stays, or that it is not the client of the page. */
function remarkOn({ node, create, reason, inside }: Call, program: Program): Remark | undefined {
  const at = node.start
  if (reason !== undefined) return { at, kind: 'left', text: reason }
  if (isAdmin(node, program)) return { at, kind: 'note', text: adminNote('@supabase/ssr') }
  const options = node.arguments[2]
  if (create !== 'createBrowserClient' || options?.type !== 'ObjectExpression') return undefined
  const refused = refusedSsrOption(options)
  if (refused !== undefined) return { at, kind: 'left', text: refused }
  const single = valueOf(options, 'isSingleton')
  const isSingle = !(single?.type === 'Literal' && single.value === false)
  if (isSingle || inside === undefined) return undefined
  const text = `each call of ${inside} creates a client, which runs until chartroomOf(client).dispose(), since isSingleton is false`
  return { at, kind: 'note', text }
}

function moveImports({ bindings, calls, names }: Uses, staying: ReadonlySet<Call>, edit: ModuleEdit): void {
  const callsOf = (binding: Binding) => calls.filter(call => call.binding === binding)
  const local = (create: string) => (names.has(create) ? create.replace('create', 'createChartroom') : create)
  for (const kind of ['named', 'namespace'] as const)
    for (const [statement, inStatement] of grouped(bindings, kind)) {
      const movedNodes = new Set<Node>()
      const addedNames = new Set<string>()
      for (const binding of inStatement) {
        const all = callsOf(binding)
        const leaving = all.filter(call => !staying.has(call))
        if (kind === 'named' && leaving.length === all.length) {
          movedNodes.add(binding.part)
          continue
        }
        for (const call of leaving) {
          const name = local(call.create)
          addedNames.add(name === call.create ? name : `${call.create} as ${name}`)
          edit.callee(call, name)
        }
      }
      if (statement.type === 'ImportDeclaration' && movedNodes.size + addedNames.size > 0)
        edit.moveToSsr(statement, movedNodes, [...addedNames])
    }
}

function moveRequires({ bindings, calls }: Uses, staying: Set<Call>, edit: ModuleEdit): void {
  for (const [statement, inStatement] of grouped(bindings, 'required')) {
    const all = calls.filter(({ binding }) => inStatement.includes(binding))
    // With an admin client, the others stay, too: one statement requires them.
    if (all.some(call => staying.has(call))) for (const call of all) staying.add(call)
    else if (statement.type === 'VariableDeclaration') {
      const required = statement.declarations[0]?.init
      const name = required ? requiredName(required) : undefined
      if (name) edit.moveSource(name)
    }
  }
}

/** The bindings of a kind by the statement that they come from. */
function grouped(bindings: readonly Binding[], kind: Binding['kind']): Map<Node, Binding[]> {
  const byStatement = new Map<Node, Binding[]>()
  for (const binding of bindings)
    if (binding.kind === kind)
      byStatement.set(binding.statement, [...(byStatement.get(binding.statement) ?? []), binding])
  return byStatement
}

/** Moves `export { createServerClient } from '@supabase/ssr'`. */
function moveExports({ program }: SourceModule, edit: ModuleEdit): Remark[] {
  return program.body.flatMap((statement): Remark[] => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.source?.value !== SUPABASE_SSR.official)
      return []
    const isCreate = statement.specifiers.map(({ local }) =>
      SUPABASE_SSR.creates.includes(local.type === 'Identifier' ? local.name : ''),
    )
    if (!isCreate.includes(true)) return []
    if (isCreate.every(Boolean)) {
      edit.moveSource(statement.source)
      return []
    }
    const text = `it exports clients of @supabase/ssr with other names; export them from "${SUPABASE_SSR.ours}" in a separate statement`
    return [{ at: statement.start, kind: 'left', text }]
  })
}
