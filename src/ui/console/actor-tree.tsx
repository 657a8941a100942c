// The tree of actors with their states, at the moment that is looked at.
import { ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button, Collection, Tree, TreeItem, TreeItemContent } from 'react-aria-components'
import type { MachineChart } from '../../trace/format.ts'
import { Chip } from '../widgets/pill.tsx'
import { cx } from '../widgets/cx.ts'
import { familyHue } from './actor-names.ts'
import { actorTree, expandedKeys, type ActorNode } from './actor-nodes.ts'
import { actorState } from './actor-state.ts'
import styles from './actor-tree.module.css'
import type { Selection } from './cursor.ts'
import { count } from './text.ts'
import type { Followed } from './use-trace.ts'

export interface ActorTreeProps {
  readonly followed: Followed
  readonly selection: Selection
  readonly charts: Readonly<Record<string, MachineChart>>
  readonly onSelect: (actor: number) => void
}

/** Selecting a line selects its actor; groups only open and close. */
export function ActorTree({ followed, selection, charts, onSelect }: ActorTreeProps) {
  const { index, frame } = followed
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const nodes = useMemo(
    () => actorTree(index, selection.at, selection.actor),
    [index, frame, selection.at, selection.actor],
  )
  const expanded = expandedKeys(nodes, selection.actor, chosen)
  const lineOf = (node: ActorNode) => (
    <Line key={node.key} node={node} selection={selection} followed={followed} charts={charts} />
  )
  return (
    <Tree
      aria-label="Actors"
      className={cx(styles.tree)}
      items={nodes}
      dependencies={[frame, selection, charts]}
      selectionMode="single"
      selectionBehavior="replace"
      disallowEmptySelection
      selectedKeys={[`actor:${selection.actor}`]}
      onSelectionChange={keys => {
        const [key] = keys === 'all' ? [] : [...keys]
        const actor = /^actor:(\d+)$/.exec(String(key ?? ''))?.[1]
        if (actor !== undefined) onSelect(Number(actor))
      }}
      expandedKeys={expanded}
      onExpandedChange={keys => setChosen(toggled(chosen, expanded, new Set([...keys].map(String))))}
      renderEmptyState={() => <p className={styles.empty}>No actors yet</p>}
    >
      {lineOf}
    </Tree>
  )
}

function toggled(
  chosen: ReadonlyMap<string, boolean>,
  before: readonly string[],
  after: ReadonlySet<string>,
): ReadonlyMap<string, boolean> {
  const next = new Map(chosen)
  for (const key of before) if (!after.has(key)) next.set(key, false)
  for (const key of after) if (!before.includes(key)) next.set(key, true)
  return next
}

interface LineProps extends Omit<ActorTreeProps, 'onSelect'> {
  readonly node: ActorNode
}

function Line({ node, followed, selection, charts }: LineProps) {
  // The tree hands further props to its items; they must not reach the items below.
  const shared = { followed, selection, charts }
  const state = node.kind === 'actor' ? actorState(node.entry, followed, selection.at, charts) : undefined
  return (
    <TreeItem
      id={node.key}
      textValue={state ? `${node.name}, ${state.full}` : node.name}
      className={cx(styles.item, node.stopped && styles.stopped)}
    >
      <TreeItemContent>
        {({ hasChildItems, level }) => (
          <span className={styles.line} style={{ paddingLeft: (level - 1) * 14 }}>
            {hasChildItems ? (
              <Button slot="chevron" className={cx(styles.chevron)}>
                <ChevronRight size={12} aria-hidden />
              </Button>
            ) : (
              <span className={styles.chevron} />
            )}
            <span
              className={styles.family}
              style={{ background: familyHue(node.entry, followed.source.actors) }}
            />
            <span className={styles.name} title={node.entry.path}>
              {node.name}
            </span>
            {node.hidden > 0 ? <span className={styles.more}>{count(node.hidden)} not listed</span> : null}
            {node.kind === 'group' ? (
              <span className={styles.more}>{count(node.children.length)}</span>
            ) : null}
            {state ? (
              <span className={styles.chip}>
                <Chip tone={state.tone} pending={state.tone === 'pending'} title={state.full}>
                  {state.tone === 'fail' ? '! ' : ''}
                  {state.text}
                </Chip>
              </span>
            ) : null}
          </span>
        )}
      </TreeItemContent>
      <Collection items={node.children} dependencies={[followed.frame, selection]}>
        {child => <Line key={child.key} node={child} {...shared} />}
      </Collection>
    </TreeItem>
  )
}
