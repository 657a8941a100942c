// Which panes the console shows, where the log stands, and how large everything is: by hand or by a preset.

/** What stands around the middle. */
export const PANES = ['tree', 'event', 'log', 'drive'] as const
export type Pane = (typeof PANES)[number]

/** What can have all the room for itself. */
export const BIGS = ['centre', ...PANES] as const
export type Big = (typeof BIGS)[number]

/** By itself the log stands beside the other views where the console is low and wide. */
export const LOG_PLACES = ['auto', 'below', 'beside'] as const
export type LogPlace = (typeof LOG_PLACES)[number]

/** For work, or large and calm for an audience. */
export const LOOKS = ['work', 'present'] as const
export type Look = (typeof LOOKS)[number]

export interface FrameLayout {
  /** Shown beside the middle, in the order of `PANES`. */
  readonly panes: readonly Pane[]
  /** The one that is shown alone. */
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

/** The params of a URL that it reads. */
export const FRAME_PARAMS = ['panes', 'big', 'log', 'look'] as const
export type FrameParams = Readonly<Partial<Record<(typeof FRAME_PARAMS)[number], string>>>

/** How a URL writes that no pane is shown. */
const NONE = 'none'

/** What is bad in the params is passed over. */
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

/** Only what is not as at the start. */
export function writeFrame({ panes, big, logAt, look }: FrameLayout): FrameParams {
  return {
    ...(!isSame(panes, START_FRAME.panes) && { panes: panes.length === 0 ? NONE : panes.join(',') }),
    ...(big !== undefined && { big }),
    ...(logAt !== START_FRAME.logAt && { log: logAt }),
    ...(look !== START_FRAME.look && { look }),
  }
}

/** Shows a pane or hides it; whichever was large gives way. */
export const withPane = (frame: FrameLayout, pane: Pane, isShown: boolean): FrameLayout => ({
  ...frame,
  big: undefined,
  panes: PANES.filter(one => (one === pane ? isShown : frame.panes.includes(one))),
})

/** Gives one all the room, or, when it has it, everybody their own again. */
export const withBig = (frame: FrameLayout, big: Big): FrameLayout => ({
  ...frame,
  big: frame.big === big ? undefined : big,
})

/** What is to be seen: all that are shown, or the large one alone. */
export function shownIn({ panes, big }: FrameLayout): ReadonlySet<Big> {
  return big === undefined ? new Set<Big>(['centre', ...panes]) : new Set<Big>([big])
}

export interface Preset {
  readonly id: 'debug' | 'test' | 'present'
  readonly title: string
  readonly text: string
  readonly frame: FrameLayout
  /** Tab in the middle that goes with it. */
  readonly centre?: string
}

export const PRESETS: readonly Preset[] = [
  { id: 'debug', title: 'Debug', text: 'everything', frame: START_FRAME },
  {
    id: 'test',
    title: 'Test',
    text: 'coverage and charts beside the log',
    frame: { ...START_FRAME, panes: ['log'], logAt: 'beside' },
    centre: 'coverage',
  },
  {
    id: 'present',
    title: 'Present',
    text: 'the chart alone, large',
    frame: { ...START_FRAME, panes: [], look: 'present' },
    centre: 'chart',
  },
]

/** The preset that the layout is like, while the drive panel and what is large do not count. */
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
