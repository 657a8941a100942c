// Coverage, a machine a row: how much of each was reached as bars, and what never was by its name.
import { ArrowDown, ArrowUp, ChevronRight, Footprints, Map as MapIcon } from 'lucide-react'
import { useState } from 'react'
import type { CoverageReport, CoverageTotals, MachineCoverage, Share } from '../../../trace/coverage.ts'
import { IconButton } from '../../widgets/button.tsx'
import { readMode, writeMode } from '../chart/chart-mode.ts'
import { count } from '../text.ts'
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
import styles from './judge.module.css'
import { useGoThere } from './use-go-there.ts'

const COLUMNS: readonly CoverageColumn[] = ['machine', ...MEASURES]

export function CoverageTable({ report }: { readonly report: CoverageReport }) {
  const [sorting, setSorting] = useState<CoverageSorting>({ column: 'machine', isDescending: false })
  const [open, setOpen] = useState<string>()
  const untold = hasStatesAlone(report)
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
            <Shares totals={report.totals} untold={untold} />
          </tr>
          {machines.map(machine => (
            <Machine
              key={keyOf(machine)}
              machine={machine}
              untold={untold}
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
        {column === 'guards' ? 'branches of guards' : column}
        {isSorted ? <Arrow size={11} aria-hidden /> : null}
      </button>
    </th>
  )
}

const Shares = ({ totals, untold }: { readonly totals: CoverageTotals; readonly untold: boolean }) =>
  MEASURES.map(measure => (
    <td key={measure}>
      {untold && measure !== 'states' ? (
        <span className={styles.faint}>not told</span>
      ) : (
        <Bar share={totals[measure]} />
      )}
    </td>
  ))

/** Colour is never all: the numbers stand beside it. */
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
  /** Whether nothing is known of transitions and guards. */
  readonly untold: boolean
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function Machine({ machine, untold, isOpen, onToggle }: MachineProps) {
  const show = useShowChart(machine.id)
  const unreached = unreachedOf(machine).filter(({ kind }) => !untold || kind === 'state')
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
              <IconButton
                size="s"
                label={`Show coverage on the chart of ${machine.id}`}
                noTooltip
                onPress={show}
              >
                <MapIcon size={13} aria-hidden />
              </IconButton>
            ) : null}
          </span>
        </th>
        <Shares totals={machine.totals} untold={untold} />
      </tr>
      {isOpen ? (
        <tr className={styles.missingRow}>
          <td colSpan={COLUMNS.length}>
            {unreached.length === 0 ? (
              <p className={styles.faint}>All of it was reached.</p>
            ) : (
              <Missing machine={machine.id} unreached={unreached} />
            )}
          </td>
        </tr>
      ) : null}
    </>
  )
}

const TITLES = { state: 'States', transition: 'Transitions', guard: 'Branches of guards' } as const

function Missing({
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
        <h4 className={styles.label}>
          {TITLES[kind]} never reached ({count(own.length)})
        </h4>
        <ul className={styles.missingList} aria-label={`${TITLES[kind]} of ${machine} never reached`}>
          {own.map(({ words, state }) => (
            <li key={words}>
              <code>{words}</code>
              {goThere && kind === 'state' ? (
                <IconButton size="s" label={`Take me to ${state}`} noTooltip onPress={() => goThere(state)}>
                  <Footprints size={12} aria-hidden />
                </IconButton>
              ) : null}
            </li>
          ))}
        </ul>
      </section>
    )
  })
}

/** Shows an actor of the machine with what was visited on its chart; absent when there is none. */
function useShowChart(machine: string): (() => void) | undefined {
  const { timeline, go, place } = useConsole()
  const actor = timeline.actors.findLast(({ src }) => src === machine)
  if (!actor) return undefined
  return () => {
    const chart = writeMode({ ...readMode(place.layout.chart), isHeat: true })
    go({ type: 'actor', actor: actor.index })
    go({ type: 'layout', layout: { centre: 'chart', chart } })
  }
}
