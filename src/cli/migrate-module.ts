// Rewrites the calls of `createClient` in one module to Chartroom's, and says why it leaves the others.
import type { MagicString } from 'magic-string'
import type { CallExpression, Expression, Program } from 'oxc-parser'
import { ModuleEdit } from './migrate-edit.ts'
import { refusedOption } from './migrate-options.ts'
import { isSecretKey, serverCodeOf, setsAuthorization } from './migrate-server.ts'
import type { SourceModule } from './migrate-source.ts'
import { type Call, CREATE_OURS, findUses, type Remark } from './migrate-uses.ts'

interface Options {
  /** Path of the file with forward slashes, from the folder that is migrated. */
  readonly file: string
  /** Names under which a module that this one imports exports `createClient` again. */
  readonly reexportsOf: (specifier: string) => readonly string[]
}

export interface Migrated {
  /** Number of rewritten calls. */
  readonly calls: number
  readonly remarks: readonly Remark[]
}

/** Rewrites the module's part of `out`, whose text is that of the file. */
export function migrateModule(module: SourceModule, out: MagicString, options: Options): Migrated {
  const found = findUses(module.program, options.reexportsOf)
  const remarks: Remark[] = [...found.remarks]
  const isNameTaken = found.names.has(CREATE_OURS) && !found.ours
  const server = serverCodeOf(options.file, module.program)
  const moved: Call[] = []
  for (const call of found.calls) {
    const reason = isNameTaken
      ? `the module uses the name ${CREATE_OURS} for something else`
      : (call.reason ?? reasonToLeave(call.node, module.program, server))
    if (reason === undefined) moved.push(call)
    else remarks.push({ at: call.node.start, kind: 'left', text: reason })
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
  return { calls: moved.length, remarks }
}

/** Why a call is left, by its arguments and its module. */
function reasonToLeave(
  call: CallExpression,
  program: Program,
  server: string | undefined,
): string | undefined {
  const given: Expression[] = []
  for (const argument of call.arguments) {
    if (argument.type === 'SpreadElement') return 'the arguments are spread; write them out'
    given.push(argument)
  }
  const [url, key, options] = given
  if (!url || !key) return 'a client needs a URL and a key'
  if (isSecretKey(key, program))
    return 'it has a secret key; keep supabase-js on servers that act without a user'
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
