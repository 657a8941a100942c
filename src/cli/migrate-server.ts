// Recognizes clients of servers, which are not migrated: those with service keys, and those made per request.
import type { CallExpression, Expression, Node, ObjectExpression, Program } from 'oxc-parser'
import { walk } from 'oxc-walker'

/** Where frameworks expect server code, and its name in a report. */
const SERVER_FILES: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/(?:^|\/)supabase\/functions\//, 'an edge function'],
  [/(?:^|\/)\+(?:server|page\.server|layout\.server)\.[jt]s$/, 'a server module of SvelteKit'],
  [/(?:^|\/)hooks\.server\.[jt]s$/, 'a server module of SvelteKit'],
  [/\.server\.[cm]?[jt]sx?$/, 'a server module'],
  [/(?:^|\/)route\.[jt]sx?$/, 'a route handler'],
  [/(?:^|\/)pages\/api\//, 'an API route'],
  [/(?:^|\/)(?:src\/)?(?:middleware|proxy)\.[jt]s$/, 'middleware'],
  [/(?:^|\/)server\/(?:api|routes|middleware|plugins|utils)\//, 'a server module'],
]

/** Names the kind of server code that a module is; undefined if it is none. `file` has forward slashes. */
export function serverCodeOf(file: string, program: Program): string | undefined {
  const isAction = program.body.some(
    statement => statement.type === 'ExpressionStatement' && statement.directive === 'use server',
  )
  if (isAction) return 'server actions'
  return SERVER_FILES.find(([pattern]) => pattern.test(file))?.[1]
}

/** Names as in `SUPABASE_SERVICE_ROLE_KEY`, `serviceKey` and `SUPABASE_SECRET_KEY`. */
const SECRET_NAME = /service[-_]?(?:role|key)|secret/i

/** Whether a call creates a client with a secret key, by the value of the key or the names in its expression. */
export function isAdmin({ arguments: [, key] }: CallExpression, program: Program): boolean {
  if (!key || key.type === 'SpreadElement') return false
  return mentionsSecret(key) || initializersOf(key, program).some(mentionsSecret)
}

/** What to say about such a call, which stays. */
export const adminNote = (official: string): string =>
  `it has a secret key and acts without a user, so ${official} stays here`

function mentionsSecret(expression: Node): boolean {
  let isFound = false
  walk(expression, {
    enter(node) {
      if (node.type === 'Identifier') isFound ||= SECRET_NAME.test(node.name)
      if (node.type === 'TemplateElement') isFound ||= isSecretValue(node.value.raw)
      if (node.type === 'Literal' && typeof node.value === 'string') isFound ||= isSecretValue(node.value)
    },
  })
  return isFound
}

/** A text may be the key, or the name of a variable as in `env['SERVICE_KEY']`. */
const isSecretValue = (text: string) => SECRET_NAME.test(text) || roleIn(text) === 'service_role'

/** The role in a legacy key, which is a JWT. */
function roleIn(key: string): unknown {
  try {
    const claims: unknown = JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString())
    return typeof claims === 'object' && claims !== null && 'role' in claims ? claims.role : undefined
  } catch {
    return undefined
  }
}

/** What the module's variables that the expression mentions are initialized with. */
function initializersOf(expression: Expression, program: Program): Expression[] {
  const names = new Set<string>()
  walk(expression, { enter: node => void (node.type === 'Identifier' && names.add(node.name)) })
  const expressions: Expression[] = []
  walk(program, {
    enter(node) {
      if (node.type !== 'VariableDeclarator' || !node.init) return
      if (node.id.type === 'Identifier' && names.has(node.id.name)) expressions.push(node.init)
    },
  })
  return expressions
}

/** Whether the options set the `Authorization` header, as servers do that act as the sender of a request. */
export function setsAuthorization(options: ObjectExpression): boolean {
  let isFound = false
  walk(options, {
    enter(node) {
      if (node.type !== 'Property') return
      const { key } = node
      const name =
        key.type === 'Identifier' && !node.computed
          ? key.name
          : key.type === 'Literal'
            ? key.value
            : undefined
      isFound ||= typeof name === 'string' && name.toLowerCase() === 'authorization'
    },
  })
  return isFound
}
