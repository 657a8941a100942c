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
  const found = findUses(module.program, SUPABASE_JS, options.reexportsOf)
  const ssr = migrateSsr(module, out)
  const remarks: Remark[] = [...remarksOnImports(module.program), ...found.remarks, ...ssr.remarks]
  const isNameTaken = found.names.has(SUPABASE_JS.renamed) && !found.ours
  const server = module.server ?? serverCodeOf(options.file, module.program)
  const moved: Call[] = []
  for (const call of found.calls) {
    const at = call.node.start
    if (isAdmin(call.node, module.program)) {
      remarks.push({ at, kind: 'note', text: adminNote('supabase-js') })
      continue
    }
    const reason = isNameTaken
      ? `the module uses the name ${SUPABASE_JS.renamed} for something else`
      : (call.reason ?? reasonToLeave(call.node, server))
    if (reason === undefined) moved.push(call)
    else remarks.push({ at, kind: 'left', text: reason })
  }
  if (moved.length > 0) {
    const edit = new ModuleEdit(module, out)
    for (const call of moved) edit.call(call, found.names)
    edit.imports(found, new Set(moved))
  }
  for (const { node, inside } of moved)
    if (inside !== undefined)
      remarks.push({
        at: node.start,
        kind: 'note',
        text: `each call of ${inside} creates a client, which runs until dispose(); create one per app, outside of functions`,
      })
  return { calls: moved.length + ssr.calls, remarks }
}

/** Why a call is left, by its arguments and the kind of its module. */
function reasonToLeave(call: CallExpression, server: string | undefined): string | undefined {
  const given: Expression[] = []
  for (const argument of call.arguments) {
    if (argument.type === 'SpreadElement') return 'the arguments are spread; write them out'
    given.push(argument)
  }
  const [url, key, options] = given
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
