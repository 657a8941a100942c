// The columns of tables and views that the columns of a view show, as PostgreSQL keeps them in its parsed query.

/** A column by the OID of its relation and its number. */
interface Origin {
  readonly relation: string
  readonly at: number
}

/** Views of the schemas that REST serves, or finds types in. */
export const VIEWS = `(
  select json_agg(json_build_array(c.oid, r.ev_action::text))
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_rewrite r on r.ev_class = c.oid
  cross join schema_lists l
  where c.relkind in ('v', 'm') and r.ev_type = '1' and (n.nspname = any (l.served) or n.nspname = any (l.extra))
)`

export type ViewRow = readonly [id: string, tree: string]

/** By the number of a view's column: the columns that it shows, of the view's own relation first, then of deeper ones. */
export type ViewColumns = ReadonlyMap<number, readonly Origin[]>

/**
 * Traces columns of views through views of views. The views in between count as origins, too.
 * @returns of each view, the origins of its columns
 */
export function traceViews(rows: readonly ViewRow[]): ReadonlyMap<string, ViewColumns> {
  const direct = new Map(rows.map(([id, tree]) => [id, originsIn(tree)]))
  const follow = (origin: Origin, path: readonly string[]): readonly Origin[] => {
    const next = direct.get(origin.relation)?.get(origin.at)
    // Replaced views can refer to themselves.
    if (next === undefined || path.includes(origin.relation)) return [origin]
    return [origin, ...follow(next, [...path, origin.relation])]
  }
  return new Map(
    [...direct].map(([id, columns]) => [
      id,
      new Map([...columns].map(([at, origin]) => [at, follow(origin, [])])),
    ]),
  )
}

const OPEN = '{'.charCodeAt(0)
const CLOSE = '}'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)

const COLUMN = / :resno (\d+) /
const ORIGIN = / :resorigtbl (\d+) :resorigcol (\d+) /

/**
 * The origins in the outermost target list of a printed query tree, by number of the view's column. Trees can be
 * long, so this reads each character once. A backslash escapes the next one.
 */
function originsIn(tree: string): ReadonlyMap<number, Origin> {
  const origins = new Map<number, Origin>()
  let depth = 0
  let isListed = false
  // The end of the last node that closed or opened.
  let from = 0
  for (let at = 0; at < tree.length; at += 1) {
    const code = tree.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === OPEN) {
      // The list ends where the query's next field starts.
      if (depth === 1) isListed = lastField(tree.slice(from, at)) ?? isListed
      depth += 1
      from = at + 1
    } else if (code === CLOSE) {
      if (depth === 2 && isListed) {
        const entry = tree.slice(from, at)
        const [, column] = COLUMN.exec(entry) ?? []
        const [, relation = '0', number] = ORIGIN.exec(entry) ?? []
        if (relation !== '0') origins.set(Number(column), { relation, at: Number(number) })
      }
      depth -= 1
      from = at + 1
    }
  }
  return origins
}

/** Whether the last field that starts here is the target list; undefined if none does. */
function lastField(text: string): boolean | undefined {
  const field = text.lastIndexOf(' :')
  return field === -1 ? undefined : text.startsWith(' :targetList ', field)
}
