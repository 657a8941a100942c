// Arranges the panes in the available space.
import { shownIn, type Big, type FrameLayout } from '../model/frame-layout.ts'

/** Below this width the upper views are shown one at a time. */
const WIDE = 860
/** From this width on the log fits next to the other views, ... */
const WIDE_ENOUGH = 1360
/** ... and below this height it does not fit below them. */
const LOW = 460

/**
 * From this width on the control panel has its own column; below it shares one with the selected event, ...
 */
const BOTH = 1300
/** ... and if the log is in a column too, already below this one: the middle would be too narrow. */
const BOTH_AND_LOG = 1640

/** Below this height there is room for one view only: the log takes turns with the others. */
const FLAT = 200

/** Stored names of panels and groups. */
export interface Arrangement {
  /** Side by side, from left to right; on a narrow console, the views that take turns. */
  readonly columns: readonly Big[]
  readonly isNarrow: boolean
  readonly logAt: 'below' | 'beside' | 'in turn' | 'nowhere'
  /** Storage name for the sizes of columns and rows: each set of panels has its own. */
  readonly columnsName: string
  readonly rowsName: string
}

/** Name of the column shared by the selected event and the control panel, which are shown one at a time. */
export const SHARED = 'event/drive'

const ORDER: readonly Big[] = ['tree', 'center', 'log', 'event', 'drive']

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
