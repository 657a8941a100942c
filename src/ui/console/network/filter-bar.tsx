// The head of the network view: which calls it lists.
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import { count } from '../text.ts'
import { GROUPS, KINDS, type Group, type Kind, type Wanted } from './network-rows.ts'
import styles from './network.module.css'

const KIND_TITLES: Readonly<Record<Kind, string>> = {
  all: 'All',
  failed: 'Failed',
  retried: 'Retried',
  open: 'Pending',
}

const GROUP_TITLES: Readonly<Record<Group, string>> = {
  auth: 'Auth',
  data: 'Data',
  files: 'Files',
  functions: 'Functions',
  realtime: 'Realtime',
  checks: 'Checks',
}

const EVERY = 'every'

interface FilterBarProps {
  readonly wanted: Wanted
  /** Number of calls of each group that the other filters list. */
  readonly counts: Readonly<Record<Group, number>>
  readonly onWanted: (wanted: Wanted) => void
}

/** Filters by outcome, service and text. Groups without calls are left out. */
export function FilterBar({ wanted, counts, onWanted }: FilterBarProps) {
  const groups = GROUPS.filter(group => counts[group] > 0 || group === wanted.group)
  return (
    <div className={styles.filters}>
      <ToggleButtonGroup
        aria-label="Call filter"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[wanted.kind]}
        onSelectionChange={keys => {
          const kind = KINDS.find(one => keys.has(one))
          if (kind) onWanted({ ...wanted, kind })
        }}
        className={cx(styles.kinds)}
      >
        {KINDS.map(kind => (
          <ToggleButton key={kind} id={kind} className={cx(styles.kind)}>
            {KIND_TITLES[kind]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <ToggleButtonGroup
        aria-label="Service"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[wanted.group ?? EVERY]}
        onSelectionChange={keys => {
          const { group: _, ...others } = wanted
          const group = GROUPS.find(one => keys.has(one))
          onWanted(group ? { ...others, group } : others)
        }}
        className={cx(styles.kinds)}
      >
        <ToggleButton id={EVERY} className={cx(styles.kind)}>
          Every service
        </ToggleButton>
        {groups.map(group => (
          <ToggleButton key={group} id={group} className={cx(styles.kind)}>
            {GROUP_TITLES[group]} <span className={styles.count}>{count(counts[group])}</span>
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <input
        className={styles.find}
        aria-label="Find calls"
        placeholder="method, path, status or failure"
        value={wanted.text}
        onChange={event => onWanted({ ...wanted, text: event.target.value })}
        onKeyDown={event => {
          if (event.key !== 'Escape' || wanted.text === '') return
          event.stopPropagation()
          onWanted({ ...wanted, text: '' })
        }}
      />
    </div>
  )
}
