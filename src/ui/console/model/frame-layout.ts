// Layout of the console: visible panes, log position and sizes, set by the user or by a preset.

/** Panes around the middle. */
export const PANES = ['tree', 'event', 'log', 'drive'] as const
export type Pane = (typeof PANES)[number]

/** Panes that can be maximized. */
export const BIGS = ['center', ...PANES] as const
export type Big = (typeof BIGS)[number]

/** With `auto`, the log is next to the other views when the console is short and wide. */
export const LOG_PLACES = ['auto', 'below', 'beside'] as const
export type LogPlace = (typeof LOG_PLACES)[number]

/** For work, or large and calm for presentations. */
export const LOOKS = ['work', 'present'] as const
export type Look = (typeof LOOKS)[number]

export interface FrameLayout {
  /** Panes shown around the middle, in the order of `PANES`. */
  readonly panes: readonly Pane[]
  /** The maximized pane. */
  readonly big: Big | undefined
  readonly logAt: LogPlace
  readonly look: Look
}

export const START_FRAME: FrameLayout = {
  panes: ['tree', 'event', 'log'],
  big: undefined,
  logAt: 'auto',
  look: 'work',
}

/** The URL parameters it reads. */
export const FRAME_PARAMS = ['panes', 'big', 'log', 'look'] as const
export type FrameParams = Readonly<Partial<Record<(typeof FRAME_PARAMS)[number], string>>>

/** URL value for no panes. */
const NONE = 'none'

/** Invalid parameters are ignored. */
export function readFrame({ panes, big, log, look }: FrameParams): FrameLayout {
  const wanted = panes === NONE ? [] : panes?.split(',')
  const known = wanted && PANES.filter(pane => wanted.includes(pane))
  const isNothing = known?.length === 0 && panes !== NONE
  return {
    panes: known && !isNothing ? known : START_FRAME.panes,
    big: BIGS.find(name => name === big),
    logAt: LOG_PLACES.find(name => name === log) ?? START_FRAME.logAt,
    look: LOOKS.find(name => name === look) ?? START_FRAME.look,
  }
}

/** Writes only what differs from the defaults. */
export function writeFrame({ panes, big, logAt, look }: FrameLayout): FrameParams {
  return {
    ...(!isSame(panes, START_FRAME.panes) && { panes: panes.length === 0 ? NONE : panes.join(',') }),
    ...(big !== undefined && { big }),
    ...(logAt !== START_FRAME.logAt && { log: logAt }),
    ...(look !== START_FRAME.look && { look }),
  }
}

/** Shows or hides a pane; a maximized pane is restored. */
export const withPane = (frame: FrameLayout, pane: Pane, isShown: boolean): FrameLayout => ({
  ...frame,
  big: undefined,
  panes: PANES.filter(one => (one === pane ? isShown : frame.panes.includes(one))),
})

/** Maximizes a pane, or restores all if it is maximized. */
export const withBig = (frame: FrameLayout, big: Big): FrameLayout => ({
  ...frame,
  big: frame.big === big ? undefined : big,
})

/** Returns what is visible: all shown panes, or only the maximized one. */
export function shownIn({ panes, big }: FrameLayout): ReadonlySet<Big> {
  return big === undefined ? new Set<Big>(['center', ...panes]) : new Set<Big>([big])
}

export interface Preset {
  readonly id: 'debug' | 'test' | 'present'
  readonly title: string
  readonly text: string
  readonly frame: FrameLayout
  /** The tab in the middle that belongs to it. */
  readonly center?: string
}

export const PRESETS: readonly Preset[] = [
  { id: 'debug', title: 'Debug', text: 'everything', frame: START_FRAME },
  {
    id: 'test',
    title: 'Test',
    text: 'coverage and charts next to the log',
    frame: { ...START_FRAME, panes: ['log'], logAt: 'beside' },
    center: 'coverage',
  },
  {
    id: 'present',
    title: 'Present',
    text: 'the chart alone, large',
    frame: { ...START_FRAME, panes: [], look: 'present' },
    center: 'chart',
  },
]

/** Returns the matching preset, regardless of the control panel and the maximized pane. */
export const presetOf = (frame: FrameLayout): Preset | undefined =>
  PRESETS.find(
    ({ frame: { panes, look } }) =>
      look === frame.look &&
      isSame(
        panes,
        frame.panes.filter(pane => pane !== 'drive'),
      ),
  )

const isSame = (a: readonly Pane[], b: readonly Pane[]): boolean =>
  a.length === b.length && a.every((pane, at) => pane === b[at])
