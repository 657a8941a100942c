// Coverage as a table: one row per machine, with bars for covered shares and the names of missing parts.
import { ArrowDown, ArrowUp, ChevronRight, Map as MapIcon, Footprints } from 'lucide-react'
import { useState } from 'react'
import type { CoverageReport, CoverageTotals, MachineCoverage, Share } from '../../../trace/index.ts'
import { ToolButton } from '../../widgets/button.tsx'
import { readMode, writeMode } from '../chart/use-chart-choices.ts'
import { useConsole } from '../use-console.ts'
import {
  hasStatesAlone,
  MEASURES,
  shareInWords,
  sortedMachines,
  unreachedOf,
  type CoverageColumn,
  type CoverageSorting,
  type Unreached,
} from './coverage-rows.ts'
import styles from './checks.module.css'
import { count } from '../text.ts'

const COLUMNS: readonly CoverageColumn[] = ['machine', ...MEASURES]

export function CoverageTable({ report }: { readonly report: CoverageReport }) {
  const [sorting, setSorting] = useState<CoverageSorting>({ column: 'machine', isDescending: false })
  const [open, setOpen] = useState<string>()
  const isStatesOnly = hasStatesAlone(report)
  const machines = sortedMachines(report.machines, sorting)
  const keyOf = ({ id, hash }: MachineCoverage) => `${id} ${hash}`
  return (
    <div className={styles.tableBox}>
      <table className={styles.table} aria-label="Coverage">
        <thead>
          <tr>
            {COLUMNS.map(column => (
              <Head key={column} column={column} sorting={sorting} onSort={setSorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className={styles.total}>
            <th scope="row">All machines</th>
            <Shares totals={report.totals} isStatesOnly={isStatesOnly} />
          </tr>
          {machines.map(machine => (
            <Machine
              key={keyOf(machine)}
              machine={machine}
              isStatesOnly={isStatesOnly}
              isOpen={open === keyOf(machine)}
              onToggle={() => setOpen(open === keyOf(machine) ? undefined : keyOf(machine))}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeadProps {
  readonly column: CoverageColumn
  readonly sorting: CoverageSorting
  readonly onSort: (to: CoverageSorting) => void
}

function Head({ column, sorting, onSort }: HeadProps) {
  const isSorted = sorting.column === column
  const Arrow = sorting.isDescending ? ArrowDown : ArrowUp
  const order = isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none'
  return (
    <th scope="col" aria-sort={order}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort({ column, isDescending: isSorted && !sorting.isDescending })}
      >
        {column === 'guards' ? 'guard branches' : column}
        {isSorted ? <Arrow size={11} aria-hidden /> : null}
      </button>
    </th>
  )
}

const Shares = ({
  totals,
  isStatesOnly,
}: {
  readonly totals: CoverageTotals
  readonly isStatesOnly: boolean
}) =>
  MEASURES.map(measure => (
    <td key={measure}>
      {isStatesOnly && measure !== 'states' ? (
        <span className={styles.faint}>not recorded</span>
      ) : (
        <Bar share={totals[measure]} />
      )}
    </td>
  ))

/** Numbers next to the bars, so that color is not the only cue. */
function Bar({ share }: { readonly share: Share }) {
  const { percent, total } = share
  return (
    <span className={styles.share}>
      <span className={styles.bar} aria-hidden data-none={total === 0 || undefined}>
        <span className={styles.reach} style={{ width: `${total === 0 ? 0 : percent}%` }} />
      </span>
      <span className={styles.number}>{shareInWords(share)}</span>
    </span>
  )
}

interface MachineProps {
  readonly machine: MachineCoverage
  /** Whether transitions and guards are not recorded. */
  readonly isStatesOnly: boolean
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function Machine({ machine, isStatesOnly, isOpen, onToggle }: MachineProps) {
  const show = useShowChart(machine.id)
  const unreached = unreachedOf(machine).filter(({ kind }) => !isStatesOnly || kind === 'state')
  return (
    <>
      <tr>
        <th scope="row">
          <span className={styles.machine}>
            <button type="button" className={styles.sort} aria-expanded={isOpen} onClick={onToggle}>
              <ChevronRight size={12} aria-hidden className={styles.chevron} />
              {machine.id}
            </button>
            {show ? (
              <ToolButton
                icon={MapIcon}
                label={`Show coverage on the chart of ${machine.id}`}
                noTooltip
                onPress={show}
              />
            ) : null}
          </span>
        </th>
        <Shares totals={machine.totals} isStatesOnly={isStatesOnly} />
      </tr>
      {isOpen ? (
        <tr className={styles.missingRow}>
          <td colSpan={COLUMNS.length}>
            {unreached.length === 0 ? (
              <p className={styles.faint}>Fully covered.</p>
            ) : (
              <MissingParts machine={machine.id} unreached={unreached} />
            )}
          </td>
        </tr>
      ) : null}
    </>
  )
}

/** Shows an actor of the machine with coverage on its chart; undefined if there is none. */
function useShowChart(machine: string): (() => void) | undefined {
  const { timeline, go, place } = useConsole()
  const actor = timeline.actors.findLast(({ src }) => src === machine)
  if (!actor) return undefined
  return () => {
    const chart = writeMode({ ...readMode(place.layout.chart), isHeat: true })
    go({ type: 'actor', actor: actor.index })
    go({ type: 'layout', layout: { center: 'chart', chart } })
  }
}

const TITLES = { state: 'States', transition: 'Transitions', guard: 'Guard branches' } as const

/** The parts of a machine that no trace reached; if the system can be controlled, with buttons to go there. */
function MissingParts({
  machine,
  unreached,
}: {
  readonly machine: string
  readonly unreached: readonly Unreached[]
}) {
  const goThere = useGoThere(machine)
  return (['state', 'transition', 'guard'] as const).map(kind => {
    const own = unreached.filter(one => one.kind === kind)
    if (own.length === 0) return null
    return (
      <section key={kind}>
        <h2 className={styles.label}>
          {TITLES[kind]} never reached ({count(own.length)})
        </h2>
        <ul className={styles.missingList} aria-label={`${TITLES[kind]} of ${machine} never reached`}>
          {own.map(({ words, state }) => (
            <li key={words}>
              <code>{words}</code>
              {goThere && kind === 'state' ? (
                <ToolButton
                  icon={Footprints}
                  iconSize={12}
                  label={`Go to state ${state}`}
                  noTooltip
                  onPress={() => goThere(state)}
                />
              ) : null}
            </li>
          ))}
        </ul>
      </section>
    )
  })
}

/** Undefined if nothing can be controlled, or no actor of the machine is running. */
function useGoThere(machine: string): ((state: string) => void) | undefined {
  const { timeline, go, driver } = useConsole()
  const { onGo } = driver
  const actor = timeline.actors.findLast(({ src, index }) => src === machine && !timeline.lifeOf(index).ended)
  if (!onGo || !actor) return undefined
  return state => {
    go({ type: 'actor', actor: actor.index })
    onGo(actor.path, state)
  }
}
