// Plans of EXPLAIN (FORMAT JSON): as a tree with shares of the time, and as text as PostgreSQL writes it.
import {
  array,
  type InferOutput,
  number,
  optional,
  record,
  safeParse,
  string,
  unknown,
  object,
} from 'valibot'

/** A step of a plan. */
export interface PlanNode {
  /** Place in the tree, such as `0.1`. */
  readonly id: string
  readonly depth: number
  /** As in PostgreSQL's text, such as `Index Scan using vessels_pkey on vessels v`. */
  readonly title: string
  /** Filters, sort keys and the like, with PostgreSQL's names. */
  readonly details: readonly PlanDetail[]
  readonly cost: { readonly start: number; readonly total: number }
  /** Rows of each loop, as estimated. */
  readonly plannedRows: number
  /** Bytes of a row, as estimated. */
  readonly width: number
  /** Absent if the statement was not run, or this step never was. */
  readonly actual?: PlanActual
  /** Of the time of the whole plan, or of its cost, without the steps below; between 0 and 1. */
  readonly share: number
  readonly children: readonly PlanNode[]
}

export interface PlanDetail {
  readonly name: string
  readonly text: string
}

export interface PlanActual {
  /** Milliseconds of each loop. */
  readonly time: number
  /** Rows of each loop. */
  readonly rows: number
  readonly loops: number
}

export interface Plan {
  readonly root: PlanNode
  /** Whether the statement was run. */
  readonly isAnalyzed: boolean
  /** In milliseconds. */
  readonly planningTime?: number | undefined
  readonly executionTime?: number | undefined
}

const step = record(string(), unknown())
const planFile = array(
  object({
    Plan: step,
    'Planning Time': optional(number()),
    'Execution Time': optional(number()),
  }),
)

type Step = InferOutput<typeof step>

const textOf = (node: Step, name: string): string | undefined => {
  const value = node[name]
  return typeof value === 'string' ? value : undefined
}
const numberOf = (node: Step, name: string): number | undefined => {
  const value = node[name]
  return typeof value === 'number' ? value : undefined
}

/** Parses the plan; undefined if it is none. */
export function parsePlan(text: string): Plan | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const parsed = safeParse(planFile, value)
  const [first] = parsed.success ? parsed.output : []
  if (!first || textOf(first.Plan, 'Node Type') === undefined) return undefined
  const isAnalyzed = first['Execution Time'] !== undefined
  const totalWeight = weightOf(first.Plan, isAnalyzed)
  return {
    root: nodeOf(first.Plan, { id: '0', depth: 0, totalWeight, isAnalyzed }),
    isAnalyzed,
    planningTime: first['Planning Time'],
    executionTime: first['Execution Time'],
  }
}

const stepsOf = (node: Step): readonly Step[] => {
  const parsed = safeParse(array(step), node['Plans'])
  return parsed.success ? parsed.output : []
}

/** What a step and those below it took: milliseconds of all loops, or the cost. */
function weightOf(node: Step, isAnalyzed: boolean): number {
  if (!isAnalyzed) return numberOf(node, 'Total Cost') ?? 0
  return (numberOf(node, 'Actual Total Time') ?? 0) * (numberOf(node, 'Actual Loops') ?? 0)
}

interface Place {
  readonly id: string
  readonly depth: number
  /** Weight of the whole plan. */
  readonly totalWeight: number
  readonly isAnalyzed: boolean
}

function nodeOf(node: Step, place: Place): PlanNode {
  const { id, depth, totalWeight, isAnalyzed } = place
  const steps = stepsOf(node)
  const below = steps.reduce((sum, each) => sum + weightOf(each, isAnalyzed), 0)
  const loops = numberOf(node, 'Actual Loops') ?? 0
  return {
    id,
    depth,
    title: titleOf(node),
    details: detailsOf(node),
    cost: { start: numberOf(node, 'Startup Cost') ?? 0, total: numberOf(node, 'Total Cost') ?? 0 },
    plannedRows: numberOf(node, 'Plan Rows') ?? 0,
    width: numberOf(node, 'Plan Width') ?? 0,
    ...(isAnalyzed && loops > 0
      ? {
          actual: {
            time: numberOf(node, 'Actual Total Time') ?? 0,
            rows: numberOf(node, 'Actual Rows') ?? 0,
            loops,
          },
        }
      : {}),
    // Subplans that run in other steps make the difference negative.
    share: totalWeight === 0 ? 0 : Math.min(1, Math.max(0, weightOf(node, isAnalyzed) - below) / totalWeight),
    children: steps.map((each, at) => nodeOf(each, { ...place, id: `${id}.${at}`, depth: depth + 1 })),
  }
}

const NAME = /^[a-z_][a-z0-9_$]*$/
const quoted = (name: string) => (NAME.test(name) ? name : `"${name.replaceAll('"', '""')}"`)

/** Strategies that the text writes instead of the type of the step. */
const AGGREGATES: Readonly<Record<string, string>> = {
  Sorted: 'GroupAggregate',
  Hashed: 'HashAggregate',
  Mixed: 'MixedAggregate',
}

function titleOf(node: Step): string {
  const type = textOf(node, 'Node Type') ?? 'Step'
  const kind = kindOf(node, type)
  const isParallel = node['Parallel Aware'] === true ? 'Parallel ' : ''
  const index = textOf(node, 'Index Name')
  const using =
    index === undefined
      ? ''
      : type === 'Bitmap Index Scan'
        ? ` on ${quoted(index)}`
        : ` using ${quoted(index)}`
  return `${isParallel}${kind}${using}${sourceOf(node)}`
}

function kindOf(node: Step, type: string): string {
  if (type === 'ModifyTable') return textOf(node, 'Operation') ?? type
  if (type === 'Aggregate') {
    const partial = textOf(node, 'Partial Mode')
    const prefix = partial === undefined || partial === 'Simple' ? '' : `${partial} `
    return prefix + (AGGREGATES[textOf(node, 'Strategy') ?? ''] ?? type)
  }
  if (type === 'SetOp')
    return `${textOf(node, 'Strategy') === 'Hashed' ? 'HashSetOp' : type} ${textOf(node, 'Command') ?? ''}`.trim()
  const join = textOf(node, 'Join Type')
  const backward = textOf(node, 'Scan Direction') === 'Backward' ? ' Backward' : ''
  if (join === undefined || join === 'Inner')
    return (
      (type === 'Nested Loop' || join === undefined ? type : `${type} Join`).replace('Join Join', 'Join') +
      backward
    )
  const base = type.replace(/ Join$/, '')
  return `${base} ${join} Join`
}

function sourceOf(node: Step): string {
  const name =
    textOf(node, 'Relation Name') ??
    textOf(node, 'CTE Name') ??
    textOf(node, 'Function Name') ??
    textOf(node, 'Tuplestore Name')
  const alias = textOf(node, 'Alias')
  if (name === undefined) return alias === undefined ? '' : ` on ${quoted(alias)}`
  return ` on ${quoted(name)}${alias === undefined || alias === name ? '' : ` ${quoted(alias)}`}`
}

/** In the order of PostgreSQL's text; the others are in the title, or for programs. */
const DETAILS = [
  'Output',
  'Index Cond',
  'Recheck Cond',
  'Order By',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'TID Cond',
  'Filter',
  'One-Time Filter',
  'Function Call',
  'Sort Key',
  'Presorted Key',
  'Group Key',
  'Sort Method',
  'Conflict Resolution',
  'Subplan Name',
  'Workers Planned',
  'Workers Launched',
  'Rows Removed by Filter',
  'Rows Removed by Join Filter',
  'Rows Removed by Index Recheck',
  'Heap Fetches',
  'Sort Space Used',
  'Hash Buckets',
  'Hash Batches',
  'Peak Memory Usage',
  'Cache Hits',
  'Cache Misses',
  'Shared Hit Blocks',
  'Shared Read Blocks',
  'Shared Written Blocks',
  'Temp Read Blocks',
  'Temp Written Blocks',
] as const

function detailText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(String).join(', ')
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

/** Counts of nothing are left out. */
function detailsOf(node: Step): readonly PlanDetail[] {
  return DETAILS.flatMap(name => {
    const value = node[name]
    if (value === 0) return []
    const text = detailText(value)
    return text === undefined ? [] : [{ name, text }]
  })
}

/** All steps, those below a step after it. */
export const planSteps = (node: PlanNode): readonly PlanNode[] => [node, ...node.children.flatMap(planSteps)]

const fixed = (value: number, digits: number) => value.toFixed(digits)

/** The plan as text, as in psql. */
export function planText({ root, planningTime, executionTime, isAnalyzed }: Plan): string {
  const times = [
    ...(planningTime === undefined ? [] : [`Planning Time: ${fixed(planningTime, 3)} ms`]),
    ...(executionTime === undefined ? [] : [`Execution Time: ${fixed(executionTime, 3)} ms`]),
  ]
  return [...stepLines(root, isAnalyzed, 0), ...times].join('\n')
}

function stepLines(node: PlanNode, isAnalyzed: boolean, indent: number): readonly string[] {
  const { title, cost, plannedRows, width, actual, details, children } = node
  const plannedText = `(cost=${fixed(cost.start, 2)}..${fixed(cost.total, 2)} rows=${plannedRows} width=${width})`
  const actualText = actual
    ? ` (actual time=${fixed(actual.time, 3)} rows=${actual.rows} loops=${actual.loops})`
    : isAnalyzed
      ? ' (never executed)'
      : ''
  const pad = ' '.repeat(indent)
  const head = indent === 0 ? title : `${pad}->  ${title}`
  const inner = ' '.repeat(indent === 0 ? 2 : indent + 6)
  return [
    `${head}  ${plannedText}${actualText}`,
    ...details.map(({ name, text }) => `${inner}${name}: ${text}`),
    ...children.flatMap(child => stepLines(child, isAnalyzed, indent === 0 ? 2 : indent + 6)),
  ]
}
