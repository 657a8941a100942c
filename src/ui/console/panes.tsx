// Where the console's views stand: beside each other when there is room, else behind tabs; the log below.
import { useDeferredValue, type ReactNode } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { ErrorBoundary } from '../widgets/error-boundary.tsx'
import { ErrorState } from '../widgets/state.tsx'
import { Tabs } from '../widgets/tabs.tsx'
import { ActorTree } from './tree/actor-tree.tsx'
import { Centre } from './centre.tsx'
import { CentreTabs } from './centre-tabs.tsx'
import styles from './console.module.css'
import { DetailedInspector } from './model/detailed-inspector.tsx'
import { Log } from './log/log.tsx'
import { storedSizes, storeSizes } from './stored-layout.ts'
import type { ConsoleModel } from './use-console.ts'
import { usePaced } from './use-paced.ts'
import { usePaneSize } from './use-pane-size.ts'

/** Below this width the three upper views take turns. */
const WIDE = 860
/** How often all but the log is renewed while the end is followed: looks live and stays cheap. */
const PACE_MS = 100

/** All views of the console over one model. */
export function Panes({ model, drive }: { readonly model: ConsoleModel; readonly drive?: ReactNode }) {
  const [ref, { width }] = usePaneSize()
  const { followed, charts } = model
  const { timeline } = followed.trace
  // Deferred, so that the log answers a held key at once and the rest catches up.
  const paced = useDeferredValue(usePaced(model.selection, PACE_MS, model.selection.following))
  // A paced selection of another trace would point nowhere.
  const selection = paced.timeline === timeline ? paced : model.selection
  const tree = (
    <Guarded name="actor tree">
      <ActorTree timeline={timeline} selection={selection} charts={charts} onSelect={model.pickActor} />
    </Guarded>
  )
  const centre = (
    <Guarded name="chart">
      <CentreTabs
        chart={
          <Centre actor={selection.actor} seq={selection.seq} charts={charts} fitAsked={model.fitAsked} />
        }
      />
    </Guarded>
  )
  const inspector = (
    <Guarded name="selected event">
      <DetailedInspector seq={selection.seq} onSelect={model.pick} />
    </Guarded>
  )
  const log = (
    <Guarded name="log">
      <Log
        followed={followed}
        selection={model.selection}
        onSelect={model.pick}
        isGrouped={model.place.layout.grouped}
        onCommand={model.run}
        go={model.go}
      />
    </Guarded>
  )
  return (
    <div ref={ref} className={styles.panes}>
      {width === 0 ? null : (
        <Sized name="rows" orientation="vertical">
          <Panel id="views" minSize={90} defaultSize="70%" className={styles.panel}>
            {width < WIDE ? (
              <Narrow tree={tree} centre={centre} inspector={inspector} drive={drive} />
            ) : (
              <Wide tree={tree} centre={centre} inspector={inspector} drive={drive} />
            )}
          </Panel>
          <Separator className={styles.handleRow} aria-label="Height of the log" />
          <Panel id="log" minSize={72} className={styles.panel}>
            {log}
          </Panel>
        </Sized>
      )}
    </div>
  )
}

interface Views {
  readonly tree: ReactNode
  readonly centre: ReactNode
  readonly inspector: ReactNode
  /** Absent while it is closed. */
  readonly drive?: ReactNode
}

function Wide({ tree, centre, inspector, drive }: Views) {
  return (
    <Sized name={drive ? 'columns-drive' : 'columns'} orientation="horizontal">
      <Panel id="actors" minSize={150} defaultSize={264} className={styles.panel}>
        {tree}
      </Panel>
      <Separator className={styles.handleColumn} aria-label="Width of the actor tree" />
      <Panel id="chart" minSize={240} className={styles.panel}>
        {centre}
      </Panel>
      <Separator className={styles.handleColumn} aria-label="Width of the selected event" />
      <Panel id="event" minSize={220} defaultSize={340} className={styles.panel}>
        {inspector}
      </Panel>
      {drive ? (
        <>
          <Separator className={styles.handleColumn} aria-label="Width of the drive panel" />
          <Panel id="drive" minSize={260} defaultSize={340} className={styles.panel}>
            {drive}
          </Panel>
        </>
      ) : null}
    </Sized>
  )
}

function Narrow({ tree, centre, inspector, drive }: Views) {
  const items = [
    { id: 'actors', title: 'Actors', content: tree },
    { id: 'chart', title: 'Chart', content: centre },
    { id: 'event', title: 'Event', content: inspector },
    ...(drive ? [{ id: 'drive', title: 'Drive', content: drive }] : []),
  ]
  return <Tabs label="Views" items={items} />
}

interface SizedProps {
  readonly name: string
  readonly orientation: 'horizontal' | 'vertical'
  readonly children: ReactNode
}

/** A panel group that remembers its sizes. */
function Sized({ name, orientation, children }: SizedProps) {
  return (
    <Group
      orientation={orientation}
      defaultLayout={storedSizes(name)}
      onLayoutChanged={(sizes, { isUserInteraction }) => {
        if (isUserInteraction) storeSizes(name, sizes)
      }}
      className={styles.group}
    >
      {children}
    </Group>
  )
}

type PartName = 'actor tree' | 'chart' | 'selected event' | 'log'

const failed = (name: PartName) =>
  function Failed({ error }: { readonly error: Error }) {
    return <ErrorState title={`The ${name} could not be shown`}>{error.message}</ErrorState>
  }

const FAILED = {
  'actor tree': failed('actor tree'),
  chart: failed('chart'),
  'selected event': failed('selected event'),
  log: failed('log'),
} as const

function Guarded({ name, children }: { readonly name: PartName; readonly children: ReactNode }) {
  return <ErrorBoundary fallback={FAILED[name]}>{children}</ErrorBoundary>
}
