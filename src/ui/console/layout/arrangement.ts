// Where the panes stand in the room that there is.
import { shownIn, type Big, type FrameLayout } from '../model/frame-layout.ts'

/** Below this width the upper views take turns. */
const WIDE = 860
/** From this width on there is room for the log beside the other views, ... */
const WIDE_ENOUGH = 1360
/** ... and below this height there is none under them. */
const LOW = 460

/** From this width on the drive panel stands beside the selected event; below it they share a column, ... */
const BOTH = 1300
/** ... and where the log stands there, too, already below this one: the middle would be a strip. */
const BOTH_AND_LOG = 1640

/** Below this height there is room for one view alone: the log takes turns with the others. */
const FLAT = 200

/** Names of panels and groups as they are stored. */
export interface Arrangement {
  /** Side by side, from left to right; of a narrow console, the views that take turns. */
  readonly columns: readonly Big[]
  readonly isNarrow: boolean
  readonly logAt: 'below' | 'beside' | 'in turn' | 'nowhere'
  /** For the sizes of columns and rows: each set of panels has its own. */
  readonly columnsName: string
  readonly rowsName: string
}

/** What the column is called that the selected event and the drive panel share: by turns, the drive panel first. */
export const SHARED = 'event/drive'

const ORDER: readonly Big[] = ['tree', 'centre', 'log', 'event', 'drive']

export function arrange(
  frame: FrameLayout,
  room: { readonly width: number; readonly height: number },
): Arrangement {
  const shown = shownIn(frame)
  const isNarrow = room.width < WIDE
  const isBeside =
    !isNarrow &&
    shown.size > 1 &&
    (frame.logAt === 'beside' ||
      (frame.logAt === 'auto' && room.width >= WIDE_ENOUGH && room.height < LOW && shown.has('event')))
  const isInTurn = isNarrow && shown.size > 1 && room.height < FLAT
  const logAt = !shown.has('log') ? 'nowhere' : isInTurn ? 'in turn' : isBeside ? 'beside' : 'below'
  const isShared =
    !isNarrow &&
    shown.has('event') &&
    shown.has('drive') &&
    room.width < (logAt === 'beside' ? BOTH_AND_LOG : BOTH)
  const columns = ORDER.filter(
    pane => shown.has(pane) && (pane !== 'log' || logAt !== 'below') && (pane !== 'event' || !isShared),
  )
  const hasRows = logAt === 'below' && columns.length > 0
  return {
    columns,
    isNarrow,
    logAt,
    columnsName: columns.map(pane => (pane === 'drive' && isShared ? SHARED : pane)).join('+'),
    rowsName: hasRows ? 'rows' : 'one row',
  }
}
