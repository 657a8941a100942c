// The TypeScript of a declaration as the API reference shows it: without bodies and private members.
import type { Class, ClassElement, Directive, Statement } from 'oxc-parser'

/** A longer constant is shown without its value. */
const CONSTANT_LINES = 70

/** Returns what an app sees of the declaration of `name` in the source `text`. */
export function declarationOf(node: Statement | Directive, name: string, text: string): string {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      return text
        .slice(node.start, node.body?.start ?? node.end)
        .replace(/^async /, '')
        .trim()
    case 'ClassDeclaration':
      return classOf(node, text)
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return text.slice(node.start, node.end)
    case 'VariableDeclaration':
      return node.declarations.flatMap(one => variableOf(one, name, text)).join('\n')
    default:
      return ''
  }
}

type Variable = Extract<Statement, { readonly type: 'VariableDeclaration' }>['declarations'][number]

function variableOf({ id, init, start, end }: Variable, name: string, text: string): string[] {
  if (id.type !== 'Identifier' || id.name !== name) return []
  if (init?.type === 'ArrowFunctionExpression' && !id.typeAnnotation) {
    const head = text
      .slice(init.start, init.body.start)
      .replace(/^async /, '')
      .replace(/\s*=>[\s(]*$/, '')
    return [`function ${name}${head}`]
  }
  const isPlain = init && PLAIN.has(init.type) && text.slice(start, end).split('\n').length <= CONSTANT_LINES
  return [`const ${text.slice(start, isPlain ? end : id.end)}`]
}

/** Values that tell a reader more than their type. */
const PLAIN = new Set(['ArrayExpression', 'Literal', 'ObjectExpression', 'TSAsExpression'])

function classOf(node: Class, text: string): string {
  const members = node.body.body.flatMap(member => {
    const line = memberOf(member, text)
    return line === undefined ? [] : [`${docBefore(member.start, text)}  ${line}`]
  })
  return `${text.slice(node.start, node.body.start).trim()} {\n${members.join('\n')}\n}`
}

function memberOf(member: ClassElement, text: string): string | undefined {
  if (member.type !== 'MethodDefinition' && member.type !== 'PropertyDefinition') return undefined
  const { key, accessibility, start, end, value } = member
  if (key.type === 'PrivateIdentifier' || accessibility === 'private') return undefined
  if (member.type === 'MethodDefinition')
    return text
      .slice(start, member.value.body?.start ?? end)
      .replace(/^async /, '')
      .trim()
  return text
    .slice(start, value?.start ?? end)
    .replace(/\s*=\s*$/, '')
    .trim()
}

/** The doc comment directly before a member, with its indentation. */
function docBefore(start: number, text: string): string {
  const from = text.lastIndexOf('/**', start)
  const to = text.indexOf('*/', from) + 2
  return from >= 0 && to <= start && text.slice(to, start).trim() === '' ? `  ${text.slice(from, to)}\n` : ''
}
