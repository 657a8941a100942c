// The matrix of a review: a row per operation, a column per account; a cell opens what proves it.
import { useMemo, useState, type KeyboardEvent } from 'react'
import {
  type Catalog,
  causesOf,
  type Cell,
  cellText,
  describeCell,
  type Operation,
  type Review,
  type ReviewedResource,
} from '../../../services/access/index.ts'
import { Button } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import styles from './access.module.css'

interface Line {
  readonly operation: Operation
  readonly cells: readonly Cell[]
}

interface Group {
  readonly resource: ReviewedResource
  readonly lines: readonly Line[]
}

interface Opened extends Line {
  readonly resource: ReviewedResource
  readonly account: number
}

const isBeyond = ({ reach, givesTo }: Cell): boolean =>
  reach === 'some' || reach === 'all' || reach === 'runs' || givesTo !== undefined

function groupsOf({ resources }: Review, onlyBeyond: boolean): readonly Group[] {
  return resources.flatMap(resource => {
    const lines = Object.entries(resource.cells)
      .map(([operation, cells]): Line => ({ operation: operation as Operation, cells }))
      .filter(({ cells }) => !onlyBeyond || cells.some(isBeyond))
    return lines.length === 0 ? [] : [{ resource, lines }]
  })
}

const STEPS: Readonly<Record<string, readonly [line: number, account: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Moves the focus between the cells with the arrow keys. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  const { line, account } = event.currentTarget.dataset
  if (!step || line === undefined || account === undefined) return
  const place = `[data-line="${Number(line) + step[0]}"][data-account="${Number(account) + step[1]}"]`
  const next = event.currentTarget.closest('table')?.querySelector<HTMLElement>(place)
  if (!next) return
  event.preventDefault()
  next.focus()
}

export interface AccessMatrixProps {
  readonly review: Review
  readonly catalog: Catalog
  /** Leaves out operations in which no account reaches more than its own rows. */
  readonly onlyBeyond: boolean
}

export function AccessMatrix({ review, catalog, onlyBeyond }: AccessMatrixProps) {
  const [opened, setOpened] = useState<Opened>()
  const [focused, setFocused] = useState('0 0')
  const groups = useMemo(() => groupsOf(review, onlyBeyond), [review, onlyBeyond])
  const starts = groups.map((_, at) => groups.slice(0, at).reduce((sum, { lines }) => sum + lines.length, 0))
  const count = groups.reduce((sum, { lines }) => sum + lines.length, 0)
  if (groups.length === 0)
    return (
      <EmptyState title="No access beyond own rows">
        No account reaches rows, files or functions that are not its own.
      </EmptyState>
    )
  // A row that is no longer shown can't have the tab stop.
  const [line = 0] = focused.split(' ').map(Number)
  const stop = line < count ? focused : '0 0'
  return (
    <>
      <div
        className={styles.scroll}
        role="group"
        aria-label="Access by account. Arrow keys move between cells."
      >
        <table className={styles.matrix}>
          <thead>
            <tr>
              <th scope="col" className={styles.name}>
                Resource
              </th>
              {review.accounts.map(account => (
                <th key={account} scope="col">
                  {account}
                </th>
              ))}
            </tr>
          </thead>
          {groups.map(({ resource, lines }, group) => (
            <tbody key={`${resource.kind} ${resource.name}`}>
              <tr className={styles.group}>
                <th scope="rowgroup" colSpan={review.accounts.length + 1}>
                  <span className={styles.resource}>
                    {resource.name}
                    <span className={styles.kind}>{resource.kind}</span>
                  </span>
                </th>
              </tr>
              {lines.map((each, at) => (
                <tr key={each.operation}>
                  <th scope="row" className={styles.name}>
                    {each.operation}
                  </th>
                  {each.cells.map((cell, account) => {
                    const place = `${(starts[group] ?? 0) + at} ${account}`
                    return (
                      <td key={review.accounts[account]}>
                        <button
                          type="button"
                          className={cx(styles.cell, styles[cell.reach])}
                          data-line={(starts[group] ?? 0) + at}
                          data-account={account}
                          tabIndex={place === stop ? 0 : -1}
                          onKeyDown={moveFocus}
                          onFocus={() => setFocused(place)}
                          onClick={() => setOpened({ resource, account, ...each })}
                        >
                          {cellText(cell)}
                        </button>
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
      {opened ? (
        <CellDialog
          opened={opened}
          account={review.accounts[opened.account] ?? ''}
          catalog={catalog}
          onClose={() => setOpened(undefined)}
        />
      ) : null}
    </>
  )
}

interface CellDialogProps {
  readonly opened: Opened
  readonly account: string
  readonly catalog: Catalog
  readonly onClose: () => void
}

/** JSON with spaces, where its line can wrap. */
const onOneLine = (row: unknown) => JSON.stringify(row, null, 1).replaceAll(/\n */g, ' ')

/** What a cell means, with the rows that prove it and the policies that decide it. */
function CellDialog({ opened, account, catalog, onClose }: CellDialogProps) {
  const { resource, operation, cells, account: at } = opened
  const cell = cells[at]
  if (!cell) return null
  const causes = causesOf({ kind: resource.kind, name: resource.name, operation }, catalog)
  return (
    <Dialog title={`${resource.name}: ${operation} as ${account}`} isOpen onClose={onClose} wide>
      <p className={styles.meaning}>{describeCell(cell, resource.kind)}</p>
      {cell.message === undefined ? null : <p className={styles.message}>{cell.message}</p>}
      {cell.proof.length === 0 ? null : (
        <div>
          <h3 className={styles.heading}>{resource.kind === 'bucket' ? 'Files' : 'Rows'} that prove it</h3>
          <ul className={styles.proof}>
            {cell.proof.map(({ key, owner, row }, index) => (
              <li key={`${key} ${index}`}>
                <b>{key}</b> {owner ? <span className={styles.owner}>of {owner}</span> : null}
                {row === undefined ? null : <code>{onOneLine(row)}</code>}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div>
        <h3 className={styles.heading}>What decides it</h3>
        <ul className={styles.causes}>
          {causes.map(cause => (
            <li key={cause}>{cause}</li>
          ))}
        </ul>
      </div>
      <DialogActions>
        <Button variant="primary" onPress={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}
