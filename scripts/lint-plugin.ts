// An oxlint plugin with the one rule that no built-in rule covers: `Date` must not be used to read the
// current time.

interface Call {
  readonly callee: { readonly type: string; readonly name?: string }
  readonly arguments: readonly unknown[]
}

interface Context {
  report(problem: { node: Call; message: string }): void
}

const isDate = ({ callee }: Call) => callee.type === 'Identifier' && callee.name === 'Date'

const noCurrentDate = {
  create: (context: Context) => ({
    NewExpression(node: Call) {
      if (!isDate(node) || node.arguments.length > 0) return
      context.report({ node, message: '`new Date()` reads the clock; pass the time in instead.' })
    },
    CallExpression(node: Call) {
      if (isDate(node))
        context.report({ node, message: '`Date()` reads the clock; pass the time in instead.' })
    },
  }),
}

export default { meta: { name: 'chartroom' }, rules: { 'no-current-date': noCurrentDate } }
