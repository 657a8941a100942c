// “Seen by…”: the query on show, asked without an account and as each account that is signed in, side by side.
import { RefreshCw, UserPlus } from 'lucide-react'
import { useMemo, useState, type UIEvent } from 'react'
import { ToggleButton } from 'react-aria-components'
import { Button } from '../../../widgets/button.tsx'
import { cx } from '../../../widgets/cx.ts'
import { Dialog, DialogActions } from '../../../widgets/dialog.tsx'
import { accountName } from '../../accounts/book.ts'
import { ANONYMOUS, useAccounts, type Accounts } from '../../accounts/use-accounts.ts'
import type { TableToolsProps } from '../../data/table-query.ts'
import { plural } from '../words.ts'
import { compareSeen, type ComparedRow } from './compare.ts'
import styles from './seen-by.module.css'
import { useViews, type Viewer } from './use-views.ts'
import { ViewPane } from './view-pane.tsx'

/** Rows that are compared; more would not be looked at. */
const MOST = 200

const viewersOf = ({ list, active }: Accounts): readonly Viewer[] => [
  { id: ANONYMOUS, name: 'Anonymous', isRecorded: true },
  ...list.map(account => ({
    id: account.id,
    name: account.id === active?.id ? `${accountName(account)} (you)` : accountName(account),
    isRecorded: account.id === active?.id,
  })),
]

function summary(rows: readonly ComparedRow[], viewers: number): string {
  const partly = rows.filter(row => row.isPartly).length
  const differing = rows.filter(row => row.differs.size > 0).length
  if (viewers < 2) return 'Choose at least two to compare.'
  if (rows.length === 0) return 'Nobody sees any of these rows.'
  if (partly === 0 && differing === 0) return 'All of them see the same.'
  return [
    partly > 0 && `${plural(partly, 'row')} not everybody sees`,
    differing > 0 && `${plural(differing, 'row')} with other values`,
  ]
    .filter(part => part !== false)
    .join(' · ')
}

/** The rows of all stay beside each other. */
const scrollAlike = ({ target, currentTarget }: UIEvent<HTMLElement>) => {
  if (!(target instanceof HTMLElement) || target === currentTarget) return
  for (const other of currentTarget.querySelectorAll('[data-rows]')) {
    if (other === target) continue
    other.scrollTop = target.scrollTop
    other.scrollLeft = target.scrollLeft
  }
}

export interface SeenByDialogProps extends Pick<TableToolsProps, 'query' | 'info'> {
  readonly onClose: () => void
}

export function SeenByDialog({ query, info, onClose }: SeenByDialogProps) {
  const accounts = useAccounts()
  const all = useMemo(() => viewersOf(accounts), [accounts])
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isOnlyOther, setOnlyOther] = useState(false)
  const [round, setRound] = useState(0)
  const viewers = useMemo(() => all.filter(({ id }) => !left.has(id)), [all, left])
  const [asked] = useState(() => {
    const from = query.range?.from ?? 0
    return { ...query, range: { from, to: from + MOST - 1 } }
  })
  const views = useViews(viewers, asked, accounts.clientOf, round)
  const seen = views.map(view => (view.phase === 'seen' ? view.rows : undefined))
  const compared = compareSeen(info, seen)
  const rows = isOnlyOther ? compared.filter(row => row.isPartly || row.differs.size > 0) : compared
  const columns = query.columns.length > 0 ? query.columns : info.columns.map(({ name }) => name)
  const toggle = (id: string) =>
    setLeft(before =>
      before.has(id) ? new Set([...before].filter(each => each !== id)) : new Set([...before, id]),
    )
  return (
    <Dialog title={`${query.table}, seen by…`} isOpen onClose={onClose} huge>
      <div className={styles.bar}>
        <div className={styles.viewers} role="group" aria-label="Seen by">
          {all.map(({ id, name }) => (
            <ToggleButton
              key={id}
              className={cx(styles.toggle)}
              isSelected={!left.has(id)}
              onChange={() => toggle(id)}
            >
              {name}
            </ToggleButton>
          ))}
          <Button size="s" variant="quiet" icon={<UserPlus size={14} aria-hidden />} onPress={accounts.add}>
            Sign in one more
          </Button>
        </div>
        <ToggleButton className={cx(styles.toggle)} isSelected={isOnlyOther} onChange={setOnlyOther}>
          Differences only
        </ToggleButton>
      </div>
      <output className={styles.summary}>{summary(compared, viewers.length)}</output>
      <div className={styles.panes} onScrollCapture={scrollAlike}>
        {viewers.map((viewer, at) => (
          <ViewPane
            key={viewer.id}
            viewer={viewer}
            view={views[at] ?? { phase: 'asking' }}
            at={at}
            rows={rows}
            columns={columns}
            onLeave={onClose}
          />
        ))}
      </div>
      <DialogActions>
        <Button icon={<RefreshCw size={14} aria-hidden />} onPress={() => setRound(round + 1)}>
          Ask again
        </Button>
        <Button variant="primary" onPress={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}
