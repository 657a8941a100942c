// An oxlint plugin with the one rule that no ready-made rule expresses: `Date` asked for the present.
import type { Plugin, Rule } from 'oxlint/plugins-dev'

const noCurrentDate: Rule = {
  create: context => ({
    NewExpression(node) {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'Date' || node.arguments.length > 0)
        return
      context.report({ node, message: '`new Date()` reads the clock: time is an input.' })
    },
    CallExpression(node) {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'Date') return
      context.report({ node, message: '`Date()` reads the clock: time is an input.' })
    },
  }),
}

const plugin: Plugin = { meta: { name: 'chartroom' }, rules: { 'no-current-date': noCurrentDate } }

export default plugin
