// Arranges the panes in the available space.
import { shownIn, type Big, type FrameLayout } from '../model/frame-layout.ts'

/** Below this width the upper views are shown one at a time. */
const WIDE = 860
/** Below this height the log does not fit below the other views. */
const LOW = 460

/** From this width on there is room for all panes side by side, ... */
const ALL = 1600
/** ... from this one on for three, and below it for two; the others are drawers. */
const THREE = 1200

/** Below this width the selected event is a drawer while the control panel is shown, ... */
const BOTH = 1300
/** ... and if the log is in a column too, below this one: the middle would be too narrow. */
const BOTH_AND_LOG = 1640

/** Below this height there is room for one view only: the log takes turns with the others. */
const FLAT = 200

/** Stored names of panels and groups. */
export interface Arrangement {
  /** Side by side, from left to right; on a narrow console, the views that take turns. */
  readonly columns: readonly Big[]
  readonly isNarrow: boolean
  /** Shown panes without room for a column: they open above the middle. */
  readonly drawers: readonly Big[]
  readonly logAt: 'below' | 'beside' | 'in turn' | 'nowhere'
  /** Storage name for the sizes of columns and rows: each set of panels has its own. */
  readonly columnsName: string
  readonly rowsName: string
}

const ORDER: readonly Big[] = ['tree', 'center', 'log', 'event', 'drive']

/** Panes that become drawers, the first one first. */
const YIELDING: readonly Big[] = ['tree', 'event', 'drive']

export function arrange(
  frame: FrameLayout,
  room: { readonly width: number; readonly height: number },
): Arrangement {
  const shown = shownIn(frame)
  const isNarrow = room.width < WIDE
  const isBeside =
    !isNarrow &&
    shown.size > 1 &&
    (frame.logAt === 'beside' || (frame.logAt === 'auto' && room.height < LOW && shown.has('event')))
  const isInTurn = isNarrow && shown.size > 1 && room.height < FLAT
  const logAt = !shown.has('log') ? 'nowhere' : isInTurn ? 'in turn' : isBeside ? 'beside' : 'below'
  const hasRoomForBoth = isNarrow || room.width >= (logAt === 'beside' ? BOTH_AND_LOG : BOTH)
  const isUnder = shown.has('event') && shown.has('drive') && !hasRoomForBoth
  const wanted = ORDER.filter(pane => shown.has(pane) && (pane !== 'log' || logAt !== 'below'))
  const most =
    isNarrow || logAt !== 'beside' || room.width >= ALL ? wanted.length : room.width >= THREE ? 3 : 2
  const surplus = wanted.length - (isUnder ? 1 : 0) - most
  const yielding = YIELDING.filter(pane => wanted.includes(pane) && !(isUnder && pane === 'event'))
  const drawers: readonly Big[] = [
    ...yielding.slice(0, Math.max(0, surplus)),
    ...(isUnder ? ['event' as const] : []),
  ]
  const columns = wanted.filter(pane => !drawers.includes(pane))
  const hasRows = logAt === 'below' && columns.length > 0
  return {
    columns,
    isNarrow,
    drawers,
    logAt,
    columnsName: columns.join('+'),
    rowsName: hasRows ? 'rows' : 'one row',
  }
}
