// What `npm run projects` found out, as rows and as a table.
import { relative } from 'node:path'

export interface TableAnswer {
  readonly table: string
  /** Statuses of HTTP. */
  readonly service: number
  readonly anon: number
}

export interface Outcome {
  readonly milliseconds: number
  readonly started?: {
    readonly migrations: number
    readonly seeds: number
    readonly notHonored: readonly string[]
    readonly emptyExtensions: readonly string[]
    /** Tables without GRANT. */
    readonly lacksGrants: number
    readonly tables: readonly TableAnswer[]
  }
  readonly failure?: {
    readonly reason: string
    readonly file?: string
    readonly line?: number
    readonly statement?: string
  }
}

export interface Row extends Outcome {
  readonly project: string
  readonly engine: string
}

/** Whether it starts, and no table fails in the backend. */
export const isGood = ({ started }: Row): boolean =>
  started !== undefined && failing(started.tables).length === 0

const failing = (tables: readonly TableAnswer[]) =>
  tables.filter(({ service, anon }) => Math.max(service, anon) >= 500)

/** Markdown. */
export function asTable(rows: readonly Row[]): string {
  const lines = rows
    .toSorted(
      (one, other) => one.project.localeCompare(other.project) || one.engine.localeCompare(other.engine),
    )
    .map(row => {
      const seconds = (row.milliseconds / 1000).toFixed(1)
      return `| ${relative('.', row.project) || '.'} | ${row.engine} | ${row.started ? 'starts' : 'stops'} | ${seconds} | ${cell(detailsOf(row))} |`
    })
  const good = rows.filter(isGood).length
  return [
    '| Project | Engine | | Seconds | Details |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
    '',
    `${good} of ${rows.length} start and answer.`,
  ].join('\n')
}

function detailsOf({ started, failure }: Row): string {
  if (failure) {
    const { file, line, statement, reason } = failure
    const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `
    return `${place}${short(reason)}${statement === undefined ? '' : ` In: ${short(statement)}`}`
  }
  if (!started) return ''
  const { migrations, seeds, tables, notHonored, emptyExtensions, lacksGrants } = started
  const count = (role: 'service' | 'anon') => tables.filter(table => table[role] === 200).length
  const broken = failing(tables).map(({ table, service, anon }) => `${table} answers ${service}/${anon}`)
  return [
    `${migrations} migrations, ${seeds} seeds; ${count('service')} of ${tables.length} tables readable by service_role, ${count('anon')} by anon`,
    ...(lacksGrants > 0 ? [`${lacksGrants} without GRANT`] : []),
    ...(emptyExtensions.length > 0 ? [`in name only: ${emptyExtensions.join(', ')}`] : []),
    ...(notHonored.length > 0 ? [`not honored: ${notHonored.join(', ')}`] : []),
    ...broken,
  ].join('; ')
}

const short = (text: string) => (text.length <= 200 ? text : `${text.slice(0, 200)}…`)
const cell = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('|', String.raw`\|`)
