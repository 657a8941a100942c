// The tree of actors with their states, at the moment that is looked at.
import { ChevronRight } from 'lucide-react'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Button, Collection, Tree, TreeItem, TreeItemContent } from 'react-aria-components'
import type { MachineChart } from '../../trace/format.ts'
import { Chip } from '../widgets/pill.tsx'
import { cx } from '../widgets/cx.ts'
import { familyColour } from './actor-names.ts'
import { actorTree, expandedKeys, type ActorNode, type TreeRequest } from './actor-nodes.ts'
import styles from './actor-tree.module.css'
import type { Selection } from './model/selection.ts'
import { reuseNodes } from './reuse-nodes.ts'
import { count } from './text.ts'
import type { TraceIndex } from './trace-index.ts'

export interface ActorTreeProps {
  readonly index: TraceIndex
  readonly selection: Selection
  readonly charts: Readonly<Record<string, MachineChart>>
  readonly onSelect: (actor: number) => void
}

/** Selecting a line selects its actor; groups only open and close. */
export function ActorTree({ index, selection, charts, onSelect }: ActorTreeProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const nodes = useNodes({ index, seq: selection.at, selected: selection.actor, charts })
  const expanded = useMemo(
    () => expandedKeys(nodes, selection.actor, chosen),
    [nodes, selection.actor, chosen],
  )
  const expand = useCallback(
    (after: ReadonlySet<string>) => setChosen(known => toggled(known, expanded, after)),
    [expanded],
  )
  return (
    <Lines nodes={nodes} actor={selection.actor} expanded={expanded} onExpand={expand} onSelect={onSelect} />
  )
}

interface LinesProps {
  readonly nodes: readonly ActorNode[]
  readonly actor: number
  readonly expanded: readonly string[]
  readonly onExpand: (keys: ReadonlySet<string>) => void
  readonly onSelect: (actor: number) => void
}

const Lines = memo(function Lines({ nodes, actor, expanded, onExpand, onSelect }: LinesProps) {
  const tree = useRef<HTMLDivElement>(null)
  const isShown = nodes.length > 0
  // Stepping through the log goes from actor to actor; where it stands must be seen.
  useEffect(() => {
    if (!isShown) return
    tree.current?.querySelector(`[data-key="actor:${actor}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [actor, isShown])
  return (
    <Tree
      ref={tree}
      aria-label="Actors"
      className={cx(styles.tree)}
      items={nodes}
      selectionMode="single"
      selectionBehavior="replace"
      disallowEmptySelection
      selectedKeys={[`actor:${actor}`]}
      onSelectionChange={keys => {
        const [key] = keys === 'all' ? [] : [...keys]
        const chosen = /^actor:(\d+)$/.exec(String(key ?? ''))?.[1]
        if (chosen !== undefined) onSelect(Number(chosen))
      }}
      expandedKeys={expanded}
      onExpandedChange={keys => onExpand(new Set([...keys].map(String)))}
      renderEmptyState={() => <p className={styles.empty}>No actors yet</p>}
    >
      {drawLine}
    </Tree>
  )
})

/** The tree at a moment; lines that did not change keep their objects. */
function useNodes(request: TreeRequest): readonly ActorNode[] {
  const [kept, keep] = useState(() => ({ request, nodes: actorTree(request) }))
  const same =
    kept.request.index === request.index &&
    kept.request.seq === request.seq &&
    kept.request.selected === request.selected &&
    kept.request.charts === request.charts
  if (same) return kept.nodes
  const nodes = reuseNodes(kept.nodes, actorTree(request))
  keep({ request, nodes })
  return nodes
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

const drawLine = (node: ActorNode) => <Line key={node.key} node={node} />

function Line({ node }: { readonly node: ActorNode }) {
  const { state } = node
  return (
    <TreeItem
      id={node.key}
      textValue={state ? `${node.name}, ${state.full}` : `${node.name}, ${count(node.size)}`}
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
            <span className={styles.family} style={{ background: familyColour(node.family) }} />
            <span className={styles.name} title={node.title}>
              {node.name}
            </span>
            {state ? (
              <span className={styles.chip}>
                <Chip tone={state.tone} pending={state.tone === 'pending'} title={state.full}>
                  {state.tone === 'fail' ? '! ' : ''}
                  {state.text}
                </Chip>
              </span>
            ) : (
              <span className={styles.more}>
                {count(node.size)}
                {node.hidden > 0 ? ` · ${count(node.hidden)} not listed` : ''}
              </span>
            )}
          </span>
        )}
      </TreeItemContent>
      <Collection items={node.children}>{drawLine}</Collection>
    </TreeItem>
  )
}
