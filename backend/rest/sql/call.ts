// SQL that calls a function.
import { type Arguments, type CallPlan, isScalar } from '../plan/call.ts'
import { bodyColumn, bodyRows } from './body.ts'
import { column } from './fields.ts'
import {
  arrayText,
  type Fragment,
  identifier,
  join,
  NOTHING,
  qualified,
  raw,
  sql,
  value,
} from './fragment.ts'

/** The column with the value of a function that returns no rows. */
export const SCALAR = 'pgrst_scalar'

const CALL = 'pgrst_call'

export function call(plan: CallPlan): Fragment {
  const { routine, returning } = plan
  const scalar = isScalar(routine)
  const list = scalar
    ? column({ name: CALL }, SCALAR)
    : join(returning.length === 0 ? [raw('*')] : returning.map(name => column({ name: CALL }, name)), ', ')
  const invoked = (values: Fragment) => {
    const expression = sql`${qualified(routine)}(${values})`
    return scalar
      ? sql`(select ${expression} as ${identifier(SCALAR)}) ${identifier(CALL)}`
      : sql`${expression} ${identifier(CALL)}`
  }
  return sql`select ${list} from ${source(plan.arguments, invoked)}`
}

function source(args: Arguments, invoked: (values: Fragment) => Fragment): Fragment {
  switch (args.kind) {
    case 'none':
      return invoked(NOTHING)
    case 'single':
      return invoked(sql`${value(args.value)}::${raw(args.type)}`)
    case 'values': {
      const all = args.values.map(({ parameter: { name, readAs, isVariadic }, value: of }) => {
        const text = typeof of === 'string' ? of : arrayText(of)
        return sql`${variadic(isVariadic)}${identifier(name)} := ${value(text)}::${raw(readAs)}`
      })
      return invoked(join(all, ', '))
    }
    case 'json': {
      const columns = args.parameters.map(({ name, readAs }) => ({
        name,
        type: readAs,
        transform: undefined,
        default: undefined,
      }))
      const all = args.parameters.map(
        ({ name, isVariadic }) => sql`${variadic(isVariadic)}${identifier(name)} := ${bodyColumn(name)}`,
      )
      const rows = bodyRows(args, columns, { takesFirst: true })
      return sql`${rows}, lateral ${invoked(join(all, ', '))}`
    }
  }
}

const variadic = (is: boolean): Fragment => (is ? raw('variadic ') : NOTHING)
