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
import { useRetry } from '../../hooks.ts'
import { compareSeen, seenSummary } from './compare.ts'
import styles from './seen-by.module.css'
import { useViews, type Viewer } from './use-views.ts'
import { ViewPane } from './view-pane.tsx'

/** Rows that are compared; more would not be looked at. */
const MOST = 200

const viewersOf = ({ list, active }: Accounts): readonly Viewer[] => [
  { id: ANONYMOUS, name: 'Anonymous' },
  ...list.map(account => ({
    id: account.id,
    name: account.id === active?.id ? `${accountName(account)} (you)` : accountName(account),
  })),
]

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
  const [again, setAgain] = useState(0)
  const viewers = useMemo(() => all.filter(({ id }) => !left.has(id)), [all, left])
  const [asked] = useState(() => {
    const from = query.range?.from ?? 0
    return { ...query, range: { from, to: from + MOST - 1 } }
  })
  const views = useViews(viewers, asked, accounts.clientOf, round, again)
  const passing = views.find(view => view.phase === 'refused' && view.isPassing)
  useRetry('rows seen by others', passing, () => setAgain(again + 1))
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
      <output className={styles.summary}>
        {seenSummary(
          compared,
          views.map(({ phase }) => phase),
        )}
      </output>
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
