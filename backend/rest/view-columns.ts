// Traces the columns of views to the columns of tables that they show, through views of views.
import type { Queries } from '../database/index.ts'

/** A column by the number of its table and its own. */
export interface ColumnPlace {
  readonly relation: string
  readonly at: number
}

interface ViewRow {
  readonly relation: string
  readonly tree: string
}

/** PostgreSQL keeps the origin of each column in the parsed query. */
const VIEWS = `
select r.ev_class::text as relation, r.ev_action::text as tree from pg_rewrite r
join pg_class c on c.oid = r.ev_class
where c.relkind in ('v', 'm') and r.ev_type = '1'
  and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`

export type Trace = (place: ColumnPlace) => ColumnPlace

/** Reads how views are defined. The result leads from a view's column to the table's, and from others to themselves. */
export async function traceViews(tx: Queries): Promise<Trace> {
  const views = await tx.query<ViewRow>(VIEWS)
  const origins = new Map(views.map(({ relation, tree }) => [relation, originsIn(tree)]))
  const trace = (place: ColumnPlace, passed: ReadonlySet<string>): ColumnPlace => {
    const next = origins.get(place.relation)?.get(place.at)
    if (next === undefined || passed.has(next.relation)) return place
    return trace(next, new Set([...passed, next.relation]))
  }
  return place => trace(place, new Set())
}

const FIELD = /:(resno|resorigtbl|resorigcol) (\d+)/g

/** The origins in the outermost target list of a printed query tree, by number of the view's column. */
function originsIn(tree: string): ReadonlyMap<number, ColumnPlace> {
  const origins = new Map<number, ColumnPlace>()
  for (const entry of targetsIn(tree)) {
    const fields = new Map([...entry.matchAll(FIELD)].map(([, name = '', value = '']) => [name, value]))
    const [relation = '0', at] = [fields.get('resorigtbl'), Number(fields.get('resorigcol'))]
    if (relation !== '0') origins.set(Number(fields.get('resno')), { relation, at })
  }
  return origins
}

/** The entries of the target list without what is nested in them; a backslash escapes the next character. */
function targetsIn(tree: string): readonly string[] {
  const entries: string[] = []
  let depth = 0
  let own = ''
  let isListed = false
  for (const [token] of tree.matchAll(/\\[\s\S]|[{}]|[^\\{}]+/g)) {
    if (token === '{') depth += 1
    if (token === '}') {
      if (depth === 2 && isListed) entries.push(own)
      depth -= 1
    }
    if (depth === 1 && token !== '}' && token !== '{') {
      // The list ends at the next field of the query.
      const field = /:([a-zA-Z]+) [^:]*$/.exec(token)?.[1]
      if (field !== undefined) isListed = field === 'targetList'
    }
    if (depth === 2) own = token === '{' ? '' : own + token
  }
  return entries
}
