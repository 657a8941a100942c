// Lays out the console's views: side by side if there is room, else behind tabs; the log below or next to
// them.
import { Fragment, memo, useDeferredValue, useMemo, type MouseEvent, type ReactNode } from 'react'
import { Panel, Separator } from 'react-resizable-panels'
import { Tabs } from '../widgets/tabs.tsx'
import styles from './console.module.css'
import { arrange, type Arrangement } from './layout/arrangement.ts'
import { Drawer, DrawerRail } from './layout/drawer.tsx'
import { layoutCommands } from './layout/layout-menu.tsx'
import { useCommands } from './commands/use-commands.ts'
import { Sized } from './layout/sized.tsx'
import { useDrawers, type Drawers } from './layout/use-drawers.ts'
import { useKeptFocus } from './layout/use-kept-focus.ts'
import { withBig, type Big } from './model/frame-layout.ts'
import type { ConsoleModel } from './use-console-model.ts'
import { usePaneSize } from '../widgets/drawing/use-pane-size.ts'
import { Center } from './center/center.tsx'
import { CenterTabs } from './center/center-tabs.tsx'
import { Guarded, DeferredConsole } from './layout/guarded.tsx'
import { Log } from './log/log.tsx'
import { Inspector } from './state/inspector.tsx'
import { ActorTree } from './tree/actor-tree.tsx'
import { useThrottled } from './use-paced.ts'

export interface PanesProps {
  readonly model: ConsoleModel
  /** Undefined if nothing can be controlled. */
  readonly drive?: ReactNode
  /** Changes when stored sizes change. */
  readonly version: number
}

/** All views of the console over one model. */
export function Panes({ model, drive, version }: PanesProps) {
  const [ref, measured] = usePaneSize()
  // Deferred, so that the views render in chunks when the console opens.
  const room = useDeferredValue(measured)
  const { frame } = model.place.layout
  const hasDrive = drive !== null && drive !== undefined
  const { upper, all: views } = useViews(model, drive)
  const arrangement = useMemo(() => {
    const panes = frame.panes.filter(pane => pane !== 'drive' || hasDrive)
    const big = frame.big === 'drive' && !hasDrive ? undefined : frame.big
    return arrange({ ...frame, panes, big }, room)
  }, [frame, room, hasDrive])
  const { columns, isNarrow, logAt, rowsName } = arrangement
  const keepFocus = useKeptFocus(ref, arrangement)
  const drawers = useDrawers(arrangement.drawers, model.place.layout)
  const { go } = model
  useCommands(layoutCommands(model.place.layout, layout => go({ type: 'layout', layout }), drawers))
  const enlarge = (event: MouseEvent) => {
    const pane = paneOfHead(event.target)
    if (pane) model.go({ type: 'layout', layout: { frame: withBig(frame, pane) } })
  }
  return (
    <div ref={ref} className={styles.panes} onDoubleClick={enlarge} onFocusCapture={keepFocus}>
      {room.width === 0 ? null : (
        <Sized name={rowsName} orientation="vertical" version={version}>
          {columns.length === 0 ? null : (
            <Panel id="views" minSize={90} defaultSize="70%" className={styles.panel}>
              {isNarrow ? (
                <Narrow views={views} columns={columns} />
              ) : (
                <Wide
                  views={logAt === 'beside' ? views : upper}
                  arrangement={arrangement}
                  version={version}
                  drawers={drawers}
                />
              )}
            </Panel>
          )}
          {logAt === 'below' && columns.length > 0 ? (
            <Separator className={styles.handleRow} aria-label="Height of the log" />
          ) : null}
          {logAt === 'below' ? (
            <Panel id="log" minSize={72} className={styles.panel} data-pane="log">
              {views.log}
            </Panel>
          ) : null}
        </Sized>
      )}
    </div>
  )
}

interface PaneKind {
  readonly title: string
  readonly minWidth: number
  readonly width?: number
  /** Initial width if the log is in a column as well. */
  readonly widthBesideLog?: number
  /** Label of the handle that resizes it; the middle has none. */
  readonly handle?: string
}

const PANES: Readonly<Record<Big, PaneKind>> = {
  tree: {
    title: 'Actors',
    minWidth: 150,
    width: 264,
    widthBesideLog: 216,
    handle: 'Width of the actor tree',
  },
  center: { title: 'Chart', minWidth: 240 },
  log: { title: 'Log', minWidth: 260, width: 420, handle: 'Width of the log' },
  event: {
    title: 'Event',
    minWidth: 220,
    width: 340,
    widthBesideLog: 296,
    handle: 'Width of the selected event',
  },
  drive: { title: 'Control', minWidth: 260, width: 340, handle: 'Width of the control panel' },
}

const titleOf = (pane: Big): string => PANES[pane].title

interface WideProps {
  readonly drawers: Drawers
  readonly views: Views
  readonly arrangement: Arrangement
  readonly version: number
}

const Wide = memo(function Wide({ views, arrangement, version, drawers }: WideProps) {
  const { open } = drawers
  return (
    <div className={styles.withDrawers}>
      {drawers.list.length === 0 ? null : <DrawerRail drawers={drawers} titleOf={titleOf} />}
      <div className={styles.besideRail}>
        <Columns {...{ views, arrangement, version }} />
        {open === undefined ? null : (
          <Drawer key={open} pane={open} title={titleOf(open)} onClose={() => drawers.toggle(open)}>
            {views[open]}
          </Drawer>
        )}
      </div>
    </div>
  )
})

function Columns({ views, arrangement, version }: Omit<WideProps, 'drawers'>) {
  const { columns, columnsName, logAt } = arrangement
  return (
    <Sized name={columnsName} orientation="horizontal" version={version}>
      {columns.map((pane, at) => {
        const { minWidth, width, widthBesideLog, handle } = PANES[pane]
        const size = columns.length === 1 ? undefined : logAt === 'beside' ? (widthBesideLog ?? width) : width
        // The handle is labeled with the pane it resizes, which is never the middle.
        const name = handle ?? PANES[columns[at - 1] ?? 'tree'].handle
        return (
          <Fragment key={pane}>
            {at === 0 ? null : <Separator className={styles.handleColumn} aria-label={name} />}
            <Panel
              id={pane}
              data-pane={pane}
              minSize={minWidth}
              {...(size !== undefined && { defaultSize: size })}
              className={styles.panel}
            >
              {views[pane]}
            </Panel>
          </Fragment>
        )
      })}
    </Sized>
  )
}

function Narrow({ views, columns }: { readonly views: Views; readonly columns: readonly Big[] }) {
  const items = columns.map(pane => ({ id: pane, title: titleOf(pane), content: views[pane] }))
  const [only] = columns
  return items.length === 1 && only ? views[only] : <Tabs label="Views" items={items} />
}

/** Returns the pane whose tab list or head was hit. */
function paneOfHead(target: EventTarget): Big | undefined {
  if (!(target instanceof Element) || target.closest('button, input')) return undefined
  const pane = target.closest('[data-pane]')
  const head = target.closest('[role=tablist], [role=tab], [role=columnheader], [data-head]')
  return pane && head && pane.contains(head) ? (pane.getAttribute('data-pane') as Big) : undefined
}

/** How often all views except the log update while following the end: appears live and stays cheap. */
const PACE_MS = 100

type Views = Readonly<Record<Big, ReactNode>>

/**
 * `upper` are all views except the log: while the log is below them, a step renders it first and the others
 * later.
 */
function useViews(model: ConsoleModel, drive: ReactNode): { readonly upper: Views; readonly all: Views } {
  const { followed, charts } = model
  const { timeline } = followed.trace
  // Deferred, so that the log responds immediately to a held key and the rest follows.
  const paced = useDeferredValue(
    useThrottled(model.selection, model.selection.following ? PACE_MS : undefined),
  )
  // A delayed selection of another trace would be invalid.
  const selection = paced.timeline === timeline ? paced : model.selection
  const { actor, seq } = selection
  const { fitAsked } = model
  const chart = useMemo(
    () => (
      <DeferredConsole>
        <Center actor={actor} seq={seq} charts={charts} fitAsked={fitAsked} />
      </DeferredConsole>
    ),
    [actor, seq, charts, fitAsked],
  )
  const event = useMemo(
    () => (
      <DeferredConsole>
        <Inspector seq={seq} />
      </DeferredConsole>
    ),
    [seq],
  )
  const { pickActor } = model
  const upper = useMemo(
    (): Views => ({
      tree: (
        <Guarded name="actor tree">
          <ActorTree timeline={timeline} selection={selection} charts={charts} onSelect={pickActor} />
        </Guarded>
      ),
      center: (
        <Guarded name="view">
          <CenterTabs chart={chart} />
        </Guarded>
      ),
      event: <Guarded name="selected event">{event}</Guarded>,
      log: null,
      drive,
    }),
    [timeline, selection, charts, pickActor, chart, event, drive],
  )
  // Not memoized: the filter advances while everything else stays the same.
  const log = (
    <Guarded name="log">
      <Log />
    </Guarded>
  )
  return { upper, all: { ...upper, log } }
}
