// An oxlint plugin with the one rule that no ready-made rule expresses: `Date` asked for the present.

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
      context.report({ node, message: '`new Date()` reads the clock: time is an input.' })
    },
    CallExpression(node: Call) {
      if (isDate(node)) context.report({ node, message: '`Date()` reads the clock: time is an input.' })
    },
  }),
}

export default { meta: { name: 'chartroom' }, rules: { 'no-current-date': noCurrentDate } }
