// Rewrites the clients of one module to Chartroom's, and says why it leaves the others.
import type { MagicString } from 'magic-string'
import type { CallExpression, Expression } from 'oxc-parser'
import { ModuleEdit } from './migrate-edit.ts'
import { refusedOption } from './migrate-options.ts'
import { adminNote, isAdmin, serverCodeOf, setsAuthorization } from './migrate-server.ts'
import type { SourceModule } from './migrate-source.ts'
import { migrateSsr } from './migrate-ssr.ts'
import {
  type Call,
  findUses,
  type Migrated,
  type Remark,
  remarksOnImports,
  SUPABASE_JS,
} from './migrate-uses.ts'

interface Options {
  /** Path of the file with forward slashes, from the folder that is migrated. */
  readonly file: string
  /** Names under which a module that this one imports exports `createClient` again. */
  readonly reexportsOf: (specifier: string) => readonly string[]
}

/** Rewrites the module's part of `out`, whose text is that of the file. */
export function migrateModule(module: SourceModule, out: MagicString, options: Options): Migrated {
  const uses = findUses(module.program, SUPABASE_JS, options.reexportsOf)
  const ssr = migrateSsr(module, out)
  const remarks: Remark[] = [...remarksOnImports(module.program), ...uses.remarks, ...ssr.remarks]
  const isNameTaken = uses.names.has(SUPABASE_JS.renamed) && !uses.ours
  const server = module.server ?? serverCodeOf(options.file, module.program)
  const movedCalls: Call[] = []
  for (const call of uses.calls) {
    const at = call.node.start
    if (isAdmin(call.node, module.program)) {
      remarks.push({ at, kind: 'note', text: adminNote('supabase-js') })
      continue
    }
    const reason = isNameTaken
      ? `the module uses the name ${SUPABASE_JS.renamed} for something else`
      : (call.reason ?? reasonToLeave(call.node, server))
    if (reason === undefined) movedCalls.push(call)
    else remarks.push({ at, kind: 'left', text: reason })
  }
  if (movedCalls.length > 0) {
    const edit = new ModuleEdit(module, out)
    for (const call of movedCalls) edit.call(call, uses.names)
    edit.imports(uses, new Set(movedCalls))
  }
  for (const { node, inside } of movedCalls)
    if (inside !== undefined)
      remarks.push({
        at: node.start,
        kind: 'note',
        text: `each call of ${inside} creates a client, which runs until dispose(); create one per app, outside of functions`,
      })
  return { calls: movedCalls.length + ssr.calls, remarks }
}

/** Why a call is left, by its arguments and the kind of its module. */
function reasonToLeave(call: CallExpression, server: string | undefined): string | undefined {
  const args: Expression[] = []
  for (const argument of call.arguments) {
    if (argument.type === 'SpreadElement') return 'the arguments are spread; write them out'
    args.push(argument)
  }
  const [url, key, options] = args
  if (!url || !key) return 'a client needs a URL and a key'
  if (options?.type === 'ObjectExpression' && setsAuthorization(options))
    return 'it acts as the sender of a request; see chartroom/ssr for clients of servers'
  if (options?.type === 'ObjectExpression') {
    const refused = refusedOption(options)
    if (refused !== undefined) return refused
  }
  if (server !== undefined)
    return `${server}: a server needs a client per request; see chartroom/ssr, or keep supabase-js`
  return undefined
}
